import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat, type ReadContext } from '../artifact-format';
import { ownText } from '../own-text';
import { readLines } from '../read-lines';
import { type KernelMeasurements } from './kernel-measurements';
import { finishLaunch, type LaunchDraft } from './launch-draft';
import { NumberLocale } from './number-locale';
import { type LaunchSink, type MeasurementTable, openTable } from './read-table';

/** Launches of one export; each is run dozens of times to be measured, so real files hold few. */
const MAX_LAUNCHES = 20_000;
/** Headers of wide exports with every section take 80,000 characters. */
const MAX_LINE_CHARS = 1 << 20;

const EXPORT = 'ncu --import FILE.ncu-rep --csv --page raw > kernels.csv';

/** Columns that every table begins with; summaries have no number, and begin with the NVTX range. */
const HEADER = /^"(?:ID|Process ID|Domain)",(?:"[^"\n]{0,256}",){1,40}"Kernel Name",/m;

/** What Nsight Compute prints of itself into the output of the program. */
const CONNECTED = /^==PROF== (?:Connected to process|Profiling ")/m;
/** Header of a section in the plain text report. */
const TEXT_TABLE = /^ *Section: [^\n]{1,100}\n *-{5}[ -]*\n *Metric Name +Metric Unit +Metric Value/m;

/**
 * CSV of Nsight Compute, of `--page raw`, `--page details` or `--metrics`, alone or behind what the program printed. The plain
 * text that people read is taken as well, to be refused with the command that exports the table.
 */
export const ncuCsvFormat: ArtifactFormat = {
  id: 'ncu-csv',
  sniffOrder: 40,
  sniff(head) {
    if (head.includes(0)) return false;
    const text = new TextDecoder('latin1').decode(head);
    return HEADER.test(text) || CONNECTED.test(text) || TEXT_TABLE.test(text);
  },
  read: async (chunks, context) => ({
    kind: 'kernel-measurements',
    measurements: await readMeasurements(chunks, context),
  }),
};

async function readMeasurements(
  chunks: AsyncIterable<Uint8Array>,
  context: ReadContext,
): Promise<KernelMeasurements> {
  const { path, problems } = context;
  const drafts = new Map<string, LaunchDraft>();
  const seen = { tables: 0, gpuName: null as string | null };
  const sink: LaunchSink = {
    locale: new NumberLocale(),
    nameGpu: (name) => (seen.gpuName ??= ownText(name.slice(0, 120))),
    launch(key, make) {
      // Numbers of launches begin anew with every table.
      const ofTable = `${seen.tables} ${key}`;
      const known = drafts.get(ofTable);
      if (known) return known;
      if (drafts.size >= MAX_LAUNCHES) {
        problems.add('record-limit-reached', path);
        return null;
      }
      const draft = make();
      drafts.set(ownText(ofTable), draft);
      return draft;
    },
  };
  let table: MeasurementTable | null = null;
  for await (const line of readLines(chunks, context, MAX_LINE_CHARS)) {
    const opened = openTable(line, sink);
    if (opened) {
      table = opened;
      seen.tables++;
    } else if (table?.readRow(line) === 'malformed') problems.add('malformed-event', path, 1, line);
  }
  if (!table)
    throw new InputRefused(
      'unreadable',
      `${path} is text of Nsight Compute without a table in CSV; export it with "${EXPORT}", or record with --csv.`,
    );
  if (drafts.size === 0)
    throw new InputRefused(
      'nothing-to-read',
      `${path} is a table of Nsight Compute without a kernel whose figures can be used; record with "--set full", or at least gpu__time_duration.sum, dram__bytes_read.sum and dram__bytes_write.sum.`,
    );
  const launches = [...drafts.values()].map((draft) => {
    const { launch, unreadable } = finishLaunch(draft, sink.locale);
    problems.add('malformed-event', path, unreadable, draft.name);
    return launch;
  });
  return { form: table.form, gpuName: seen.gpuName, launches };
}
