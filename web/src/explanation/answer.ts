import { formatNs } from '../../../src/presentation/quantity';
import { formatChange } from './change-words';
import { type Explanation } from './explanation';
import { PART_LABELS } from './part-labels';

/** Differences that are named; the table has all. */
const MOST_NAMED = 2;

/** Where the time went and what may be why, in a sentence or two. */
export function answer({ parts, changeNs, configuration }: Explanation): string {
  const causes = configuration.filter(({ mayExplain }) => mayExplain);
  const named = causes
    .slice(0, MOST_NAMED)
    .map(({ name, before, after }) => `${name} (${before ?? 'not said'} → ${after ?? 'not said'})`);
  const more = causes.length > named.length ? ` and ${causes.length - named.length} more` : '';
  const why = named.length > 0 ? ` ${named.join(', ')}${more} may explain it.` : '';
  return `${where(parts[0], changeNs)}${why}`;
}

function where({ part, changeNs: ofPart }: Explanation['parts'][number], changeNs: number): string {
  const label = PART_LABELS[part];
  const isOfSum = Math.sign(ofPart) === Math.sign(changeNs) && Math.abs(ofPart) <= Math.abs(changeNs);
  return isOfSum
    ? `${formatNs(Math.abs(ofPart))} of the ${formatNs(Math.abs(changeNs))} are ${label}.`
    : `The step changed by ${formatChange(changeNs)}; most of it is ${label}, ${formatChange(ofPart)}.`;
}
