/** Addresses are compared in lower case, as the tables demand. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
