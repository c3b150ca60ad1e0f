/** Which program a process is; part of `service.name` and of the metrics. */
export type ProcessKind = 'api' | 'worker';
