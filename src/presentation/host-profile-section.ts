import { type HostProfileReport } from '../analysis';
import { type AdviceRow, type AdviceSection } from './advice-sections';
import { formatRatio } from './quantity';
import { aboutProfile, ACTIVITY_WORDING, functionName, roleName } from './wording/host-profile';

const MAX_THREADS = 6;
const MAX_FUNCTIONS = 12;

/** The profile of the host as a table: what each kind of thread is about, its functions, threads, who holds the lock. */
export function hostProfileSection(profile: HostProfileReport): AdviceSection {
  return {
    title: 'What the host does',
    about: aboutProfile(profile),
    rows: [
      ...profile.activities.map(({ role, activity, share }) =>
        row(`${roleName(role)}: ${ACTIVITY_WORDING[activity]}`, formatRatio(share), ''),
      ),
      ...profile.functions
        .slice(0, MAX_FUNCTIONS)
        .map((f) =>
          row(
            functionName(f),
            formatRatio(f.selfShare),
            `by itself in the ${roleName(f.role)}, ${formatRatio(f.inclusiveShare)} with what it calls; ${ACTIVITY_WORDING[f.activity]}`,
          ),
        ),
      ...profile.threads.slice(0, MAX_THREADS).map(threadRow),
      ...(profile.gil?.holders ?? []).map((holder) =>
        row(
          functionName(holder),
          formatRatio(holder.share),
          `holds the interpreter lock, ${roleName(holder.role)}`,
        ),
      ),
    ],
  };
}

function threadRow({
  name,
  process,
  role,
  share,
  idleShare,
  gilShare,
}: HostProfileReport['threads'][number]): AdviceRow {
  const states = [
    roleName(role),
    idleShare === null ? null : `idle ${formatRatio(idleShare)}`,
    gilShare === null ? null : `holds the interpreter lock ${formatRatio(gilShare)}`,
  ];
  return row(
    [process && `process ${process}`, `thread ${name === '' ? 'without a name' : name}`]
      .filter(Boolean)
      .join(', '),
    formatRatio(share),
    states.filter((state) => state !== null).join(', '),
  );
}

function row(label: string, value: string, text: string): AdviceRow {
  return { label, value, text, lines: [], strong: false };
}
