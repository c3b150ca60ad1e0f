const PLAIN_WORD = /^[\w.+][\w.+-]{0,99}$/;

/**
 * Process id, program and script of what a profiler says of a process (`12: /usr/bin/python /home/me/train.py --key …`),
 * without folders. Arguments may be secrets, and are left out.
 */
export function processName(text: string): string {
  const colon = /^\d{1,10}: /.exec(text)?.[0].length ?? 0;
  const words = text
    .slice(colon)
    .split(/[\s;\0]+/, 2)
    .map((word) => word.slice(word.lastIndexOf('/') + 1))
    .filter((word) => PLAIN_WORD.test(word));
  return text.slice(0, Math.max(0, colon - (words.length === 0 ? 2 : 0))) + words.join(' ');
}
