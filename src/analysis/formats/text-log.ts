import { InputRefused } from '../timeline/input-refused';
import { type ArtifactContent, type ArtifactFormat, type ReadContext } from './artifact-format';
import { readLines } from './read-lines';

/** Reads one kind of record out of the lines of a text, one after the other. */
export interface LineReader {
  line(text: string): void;
  /** What was found; null when the text has nothing of this kind. Counts what was lost. */
  finish(): ArtifactContent | null;
}

/** A kind of record that stands in the output of a job, where other kinds may stand too. */
export interface TextLog {
  readonly id: string;
  readonly sniffOrder: number;
  sniff(head: Uint8Array): boolean;
  open(context: ReadContext): LineReader;
  /** Why a text that was taken for this kind is refused when it has nothing of it. */
  readonly nothingFound: string;
}

/**
 * The formats of such kinds. The output of a job is one file: whichever kind it is taken for, the others are looked for in
 * it as well and handed to `context.alsoFound`.
 */
export function textLogFormats(logs: readonly TextLog[]): ArtifactFormat[] {
  return logs.map((log) => ({
    id: log.id,
    sniffOrder: log.sniffOrder,
    sniff: (head) => log.sniff(head),
    async read(chunks, context) {
      const reader = log.open(context);
      const others = logs.filter((other) => other !== log).map((other) => other.open(context));
      for await (const line of readLines(chunks, context)) {
        reader.line(line);
        for (const other of others) other.line(line);
      }
      const contents = [reader, ...others].flatMap((one) => one.finish() ?? []);
      const first = contents.shift();
      if (!first) throw new InputRefused('unreadable', `${context.path} ${log.nothingFound}`);
      for (const content of contents) context.alsoFound?.(content);
      return first;
    },
  }));
}
