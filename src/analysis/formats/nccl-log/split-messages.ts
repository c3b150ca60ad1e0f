/** One message of the library, without its prefix. */
export interface NcclMessage {
  level: string;
  host: string;
  pid: number;
  text: string;
  /** Source file and line, which warnings carry. */
  where: string | null;
}

export interface SplitLine {
  messages: NcclMessage[];
  /** A message of one process begins in the middle of another's. */
  torn: boolean;
}

const MARK = /\bNCCL (INFO|WARN|VERSION|ABORT|TRACE|CALL) ?/g;
/** `host:pid:tid [gpu] file.cc:12 ` before the mark, with names of any usual length. */
const MAX_PREFIX_CHARS = 400;
const MAX_MESSAGES_PER_LINE = 64;

/**
 * The messages of one line. Before the first may stand anything that launchers add (`[155] `, `0: `, Ray's process
 * names, times); a second prefix in the line means that two processes wrote at once.
 */
export function splitMessages(line: string): SplitLine {
  if (!line.includes('NCCL ')) return { messages: [], torn: false };
  const marks: { start: number; end: number; message: NcclMessage }[] = [];
  let from = 0;
  let looks = 0;
  for (const mark of line.matchAll(MARK)) {
    if (++looks > MAX_MESSAGES_PER_LINE) break;
    const prefix = readPrefix(line.slice(Math.max(from, mark.index - MAX_PREFIX_CHARS), mark.index));
    // `NCCL INFO` without a prefix within a line is text of another message.
    if (!prefix.found && from > 0) continue;
    const end = mark.index + mark[0].length;
    marks.push({
      start: mark.index - prefix.chars,
      end,
      message: { ...prefix.fields, level: mark[1], text: '' },
    });
    from = end;
  }
  for (const [i, mark] of marks.entries()) mark.message.text = line.slice(mark.end, marks.at(i + 1)?.start);
  return { messages: marks.map((m) => m.message), torn: marks.length > 1 };
}

interface Prefix {
  found: boolean;
  /** Length up to the mark. */
  chars: number;
  fields: Pick<NcclMessage, 'host' | 'pid' | 'where'>;
}

function readPrefix(before: string): Prefix {
  const words = before.split(' ');
  words.pop();
  const last = words.at(-1) ?? '';
  const where = /^[\w./-]+:\d+$/.test(last) ? last : null;
  if (where) words.pop();
  const gpu = words.pop() ?? '';
  const writer = /^([^:]*):(\d{1,10}):(\d{1,10})$/.exec(words.pop() ?? '');
  if (!writer || !/^\[\d{1,4}\]$/.test(gpu))
    return { found: false, chars: 0, fields: { host: '', pid: 0, where: null } };
  const head = words.length > 0 ? words.join(' ').length + 1 : 0;
  return {
    found: true,
    chars: before.length - head,
    fields: { host: writer[1], pid: Number(writer[2]), where },
  };
}
