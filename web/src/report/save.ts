/** Hands a file to the browser. */
export function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name.replace(/[^\w.-]+/g, '_');
  link.click();
  URL.revokeObjectURL(link.href);
}
