const LOGIN = /\b[\w.%+-]{1,64}:[^\s@/]{1,256}@/g;
const SECRET = /\b(\w{0,64}(?:token|secret|passw|pwd|api_?key|access_key|credential)\w{0,64})=\S+/gi;

/** A line of a log without what people must not read in it: `user:password@`, and values of names like `HF_TOKEN`. */
export function maskSecrets(text: string): string {
  return text.replace(LOGIN, '***@').replace(SECRET, '$1=***');
}
