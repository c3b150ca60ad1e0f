import { growthOverEightfold, LINEAR_GROWTH } from '../../../test/builders/growth';
import { readText } from '../../../test/builders/read-format';
import { type ArtifactFormat } from './artifact-format';
import { gpuMonitorFormat } from './gpu-monitor';
import { ncclLogs } from './nccl-log';
import { HostNames } from './nccl-log/host-names';
import { ncuCsvFormat } from './ncu-csv';
import { openTable } from './ncu-csv/read-table';
import { NumberLocale } from './ncu-csv/number-locale';
import { parseCreateTable } from './nsys-sqlite/sqlite/create-table';
import { columnSpans } from './profiler-table/table-columns';
import { speedscopeFormat } from './speedscope';
import { textLogFormats } from './text-log';

const [ncclLogFormat] = textLogFormats([ncclLogs]);

const sniff = (format: ArtifactFormat, text: string) => format.sniff(Buffer.from(text));
const ignored = (): null => null;

/** Texts that make a pattern which may begin or end in many places try them all. */
const LINES: [string, (size: number) => unknown][] = [
  ['blanks in a header of nvidia-smi', (size) => sniff(gpuMonitorFormat, `timestamp, a${' '.repeat(size)}b`)],
  ['dashes in text of Nsight Compute', (size) => sniff(ncuCsvFormat, `Section: a\n${'-'.repeat(size)}x`)],
  ['dashes that are no rule of a table', (size) => columnSpans('-'.repeat(size))],
  ['brackets in a statement', (size) => tryTo(() => parseCreateTable('['.repeat(size)))],
  [
    'brackets in a header of Nsight Compute',
    (size) =>
      openTable(`"ID","Kernel Name","a__b${' ['.repeat(size)}"`, {
        launch: ignored,
        nameGpu: ignored,
        locale: new NumberLocale(),
      }),
  ],
  [
    'a variable of NCCL without an end',
    (size) => tryTo(() => readText(`h:1:1 [0] NCCL INFO N${'_'.repeat(size)}\n`, 'nccl.log', ncclLogFormat)),
  ],
  [
    'a log of ever more machines',
    (size) => {
      const names = new HostNames(size);
      for (let i = 0; 16 * i < size; i++) names.add(`machine-${i}`, 1);
      names.processes();
    },
  ],
  [
    'quotation marks in the name of a thread',
    (size) => {
      const profiles = [{ type: 'sampled', unit: 'none', name: `Thread ${'"'.repeat(size)}x` }];
      return tryTo(() => readText(JSON.stringify({ profiles }), 'speedscope.json', speedscopeFormat));
    },
  ],
];

async function tryTo(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // Refused, which is as good an end as any.
  }
}

test.each(LINES)('takes time in proportion to the length of %s', async (_, work) => {
  expect(await growthOverEightfold(work, 8_000)).toBeLessThan(LINEAR_GROWTH);
});
