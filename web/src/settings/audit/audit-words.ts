import { type paths } from '../../api/schema';

export type AuditQuery = NonNullable<paths['/v1/audit-log']['get']['parameters']['query']>;
export type AuditAction = NonNullable<AuditQuery['action']>;

/** What was done, by the name that the audit log has for it. */
export const ACTIONS: Record<AuditAction, string> = {
  'login.succeeded': 'Signed in',
  'login.failed': 'Sign-in failed',
  'login.blocked': 'Sign-in blocked',
  'session.ended': 'Session ended',
  'session.reuse-detected': 'Stolen session ended',
  'password.changed': 'Password changed',
  'password.reset-created': 'Password reset prepared',
  'password.reset': 'Password reset',
  'account.deleted': 'Account deleted',
  'identity.linked': 'Account linked to a provider',
  'team.created': 'Team created',
  'team.updated': 'Team changed',
  'team.limits-changed': 'Limits of the team changed',
  'team.deleted': 'Team deleted',
  'team.exported': 'Team exported',
  'member.added': 'Member added',
  'member.role-changed': 'Role changed',
  'member.removed': 'Member removed',
  'invitation.created': 'Invitation made',
  'invitation.accepted': 'Invitation accepted',
  'invitation.revoked': 'Invitation revoked',
  'service-account.created': 'Service account created',
  'service-account.updated': 'Service account changed',
  'service-account.disabled': 'Service account disabled',
  'service-account.enabled': 'Service account enabled',
  'service-account.deleted': 'Service account deleted',
  'token.created': 'Token created',
  'token.rotated': 'Token rotated',
  'token.revoked': 'Token revoked',
  'run.deleted': 'Run deleted',
  'run.retried': 'Run retried',
  'regression.resolved': 'Regression resolved',
  'regression.reopened': 'Regression reopened',
  'regression.muted': 'Regression muted',
  'regression.unmuted': 'Regression unmuted',
  'trend-settings.changed': 'Trend settings changed',
  'webhook.created': 'Webhook created',
  'webhook.updated': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.secret-rotated': 'Webhook secret rotated',
  'webhook.disabled': 'Webhook disabled',
  'gate-policy.saved': 'Gate policy saved',
  'gate-policy.deleted': 'Gate policy deleted',
};

/** Words for an action; one of a newer release by its name. */
export const wordsFor = (action: string): string => (ACTIONS as Record<string, string>)[action] ?? action;
