const ESCAPE = String.fromCharCode(0x1b);
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]{0,16}m`, 'g');
/** torchrun's `[rank3]:` and `[default3]:`, and the task number of `srun --label`. */
const RANK_PREFIX = /^(?:\[(?:rank|default)(\d{1,7})\]: ?| {0,6}(\d{1,7}): )/;

/** A line without colours and without the prefix of its rank; `rank` is null when nothing tells it. */
export function plainLine(line: string): { text: string; rank: number | null } {
  const text = line.includes(ESCAPE) ? line.replace(COLOUR, '') : line;
  const match = RANK_PREFIX.exec(text);
  return match
    ? { text: text.slice(match[0].length), rank: Number(match[1] ?? match[2]) }
    : { text, rank: null };
}
