import { type ArtifactFormat } from './artifact-format';
import { ALL_FORMATS } from './index';
import { KNOWN_OTHERS } from './known-others';

/** Bytes that a format may look at to recognise itself. */
export const SNIFF_BYTES = 65_536;

/** The format that recognises these first bytes, or null. */
export function sniffFormat(head: Uint8Array): ArtifactFormat | null {
  return ALL_FORMATS.find((format) => format.sniff(head.subarray(0, SNIFF_BYTES))) ?? null;
}

/** What an unrecognised file seems to be, for a message. */
export function describeUnknown(head: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(head.subarray(0, 4096));
  return (
    KNOWN_OTHERS.find(([, test]) => test(head.subarray(0, 4096), text))?.[0] ??
    'binary data of an unknown kind'
  );
}
