import { type NodeProcess } from '../../infra/local/processes';

/** Where a process answers for operators; it was started with METRICS_PORT or WORKER_METRICS_PORT at 0. */
export function operatorsUrl(process: NodeProcess): string {
  const port = /"metricsPort":(\d+)/.exec(process.output())?.[1];
  if (port === undefined) throw new Error(`${process.name} did not say its port.`);
  return `http://127.0.0.1:${port}`;
}

/** The metrics of a process as text. */
export async function metricsOf(process: NodeProcess): Promise<string> {
  return (await fetch(`${operatorsUrl(process)}/metrics`)).text();
}

/** The value of one line of metrics, which begins with this name and these labels; undefined when it is not there. */
export function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}
