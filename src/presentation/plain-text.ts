/**
 * Text out of files without anything that moves a cursor, turns the direction of writing or ends a line: control and format
 * characters (Unicode category C) become blanks.
 */
export function plainText(text: string): string {
  return text.replace(/\p{C}+/gu, ' ');
}
