import { type Report } from './present-report';

export interface BreakdownPart {
  label: string;
  ns: number;
  /** True for a cause of idle time. */
  indent: boolean;
}

const PARTS: readonly (readonly [metric: string, label: string, indent: boolean])[] = [
  ['compute-time', 'compute', false],
  ['exposed-communication', 'exposed communication', false],
  ['exposed-memcpy', 'exposed copies', false],
  ['device-idle', 'idle', false],
  ['input-wait', 'waiting for input', true],
  ['sync-wait', 'after host synchronisation', true],
  ['allocator-wait', 'allocator', true],
  ['launch-gap', 'launch gaps', true],
  ['host-other', 'user code on the host', true],
  ['dependency-wait', 'waiting on the device itself', true],
  ['unexplained-idle', 'unexplained', true],
];

/** The mean step and its parts, causes of idle time only where there is some; null when it is not measurable. */
export function meanBreakdown({ metrics }: Report): { wallNs: number; parts: BreakdownPart[] } | null {
  const value = (id: string): number | null => metrics.find((m) => m.id === id)?.value ?? null;
  const wallNs = value('step-time');
  if (!wallNs) return null;
  const parts = PARTS.flatMap(([id, label, indent]) => {
    const ns = value(id);
    return ns === null || (indent && ns === 0) ? [] : [{ label, ns, indent }];
  });
  return { wallNs, parts };
}
