/** A frame as py-spy prints it: `name (file.py:12)`, `name (file.py)`, or a bare name. */
const FRAME = /^(.*\S) \(([^()]*?)(?::(\d+))?\)$/;

/** Name and file of a printed frame; the file is empty where there is none. Lines are left out: they vary in a function. */
export function parseFrame(text: string): { name: string; file: string } {
  const match = FRAME.exec(text);
  return match ? { name: match[1], file: match[2] } : { name: text, file: '' };
}
