/** Waits until a slow reader has taken everything; exiting before would cut a long text. */
export function write(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(text, (error) => (error ? reject(error) : resolve())),
  );
}
