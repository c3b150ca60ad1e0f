import { randomBytes } from 'node:crypto';

const entropyBytes = 32;
const invitationForm = /^ssi_[A-Za-z0-9_-]{43}$/;

/** A new invitation token. It is shown once and stored as `tokenHash` only. */
export function newInvitationToken(): string {
  return `ssi_${randomBytes(entropyBytes).toString('base64url')}`;
}

/** Whether the text can be an invitation token at all. */
export function isInvitationForm(text: string): boolean {
  return invitationForm.test(text);
}
