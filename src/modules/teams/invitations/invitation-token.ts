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

/** Where the invitation is accepted. The token stands behind #, which browsers send to nobody: it stays out of logs. */
export function acceptUrlOf(publicUrl: string | undefined, token: string): string | null {
  if (publicUrl === undefined) return null;
  return `${publicUrl.replace(/\/+$/, '')}/invitations/accept#token=${token}`;
}
