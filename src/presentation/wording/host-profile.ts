import { type Finding, type HostActivityKind, type HostProfileReport } from '../../analysis';
import { formatFigure, formatRatio } from '../quantity';

type HostEvidence = NonNullable<Finding['evidence']['host']>;

/** Words for what functions of the host are about. */
export const ACTIVITY_WORDING: Readonly<Record<HostActivityKind, string>> = {
  tokenisation: 'tokenisation',
  'image-decoding': 'decoding and changing images',
  'audio-decoding': 'decoding audio',
  collate: 'putting batches together (collate)',
  logging: 'logging',
  checkpointing: 'writing checkpoints',
  'garbage-collection': 'garbage collection',
  'device-wait': 'waiting for the device',
  'data-loading': 'loading data',
  'inter-process': 'waiting for other processes, or passing data to them',
  framework: 'the framework and the standard library',
  'user-code': 'code of the program itself',
};

const SOURCE_WORDING: Readonly<Record<HostProfileReport['source'], string>> = {
  'py-spy-dump': 'py-spy dump',
  speedscope: 'speedscope profile',
  'collapsed-stacks': 'collapsed stacks',
  trace: 'Python frames of the trace',
};

const ROLE_WORDING: Readonly<Record<HostEvidence['role'], string>> = {
  main: 'training loop',
  'loader-worker': 'loader workers',
  other: 'other threads',
};

const MAX_ACTIVITIES = 3;
const MAX_FUNCTIONS = 2;
/** A part below this is not worth a word in a sentence. */
const LEAST_SHARE = 0.05;

/** What a profile of the host adds to a finding, as sentences. */
export function hostSentences({
  source,
  unit,
  role,
  sampleCount,
  activities,
  functions,
  gil,
}: HostEvidence): string {
  const samples = `${formatFigure({ value: sampleCount, unit: 'count' })} samples`;
  const of =
    unit === 'samples' ? `${samples}, not time` : source === 'trace' ? 'time with an empty device' : samples;
  const parts = activities
    .filter((a) => a.share >= LEAST_SHARE)
    .slice(0, MAX_ACTIVITIES)
    .map(({ activity, share }) => `${formatRatio(share)} ${ACTIVITY_WORDING[activity]}`);
  const most = functions
    .filter((f) => f.selfShare >= LEAST_SHARE)
    .slice(0, MAX_FUNCTIONS)
    .map((f) => `${functionName(f)} ${formatRatio(f.selfShare)}`);
  const [holder] = gil?.holders ?? [];
  return [
    `In the ${ROLE_WORDING[role]} (${SOURCE_WORDING[source]}, ${of}): ${parts.join(', ')}.`,
    ...(most.length > 0 ? [`Most by themselves: ${most.join(', ')}.`] : []),
    ...(holder
      ? [
          `The interpreter lock was held in ${formatFigure({ value: gil?.sampleCount ?? 0, unit: 'count' })} samples, ${formatRatio(holder.share)} of them by ${functionName(holder)} in the ${ROLE_WORDING[holder.role]}.`,
        ]
      : []),
  ].join(' ');
}

/** `name (file.py)`, the file without the folders that packages or projects stand in. */
export function functionName({ name, file }: { name: string; file: string }): string {
  const short = file.replace(/^.*\/(site-packages|dist-packages|lib\/python[\d.]+)\//, '');
  const nearest = /^([a-z]:)?\//i.test(short) ? short.split('/').slice(-2).join('/') : short;
  return nearest === '' ? name : `${name} (${nearest})`;
}

/** Where the figures of a profile come from, in one line. */
export function aboutProfile({
  source,
  unit,
  sampleCount,
  rank,
  otherProfileCount,
}: HostProfileReport): string {
  const samples = formatFigure({ value: sampleCount, unit: 'count' });
  return [
    SOURCE_WORDING[source],
    rank === null ? null : `rank ${rank}`,
    source === 'trace'
      ? 'only while the device was empty'
      : unit === 'samples'
        ? `${samples} samples, not time`
        : `${samples} samples`,
    otherProfileCount > 0 ? `${otherProfileCount} more with fewer samples of the training loop` : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

export const roleName = (role: HostEvidence['role']): string => ROLE_WORDING[role];
