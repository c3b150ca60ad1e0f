import { type Response } from 'supertest';
import { createPasswordResetService } from '../../src/modules/teams';
import { type AuditAction } from '../../src/platform/audit';
import { type InProcessApi, ownerPassword, type TestTeam } from './in-process-api';
import { addMember, addPerson, freshAddress, type TeamPerson } from './team-people';

/** A request that is an act for the audit log. */
export interface TeamAct {
  action: AuditAction;
  /** How many entries it leaves. */
  entries: number;
  send: () => Promise<Response>;
}

/**
 * Every act of people and credentials in a team, in an order in which all succeed; some that are refused; and the secrets
 * that exist already. The acts are sent by the owner, with addresses of their own.
 */
export async function prepareActs(api: InProcessApi, team: TestTeam, owner: TeamPerson) {
  const call = (method: 'post' | 'patch' | 'delete', path: string, body: object = {}, as = owner) => {
    return async () => api.http()[method](`/v1/${path}`).set(as.headers).set(freshAddress()).send(body);
  };
  const make = async (path: string, body: object) => {
    const response = await call('post', path, body)();
    if (response.status !== 201) throw new Error(`${path} answered ${response.status}`);
    return response.body as { id: string; token: string };
  };
  const [promoted, removed] = [await addMember(api, team, 'member'), await addMember(api, team, 'viewer')];
  const admin = await addPerson(api, team, 'admin');
  const leaving = await addPerson(api, team, 'viewer');
  const forgetful = await addMember(api, team, 'viewer');
  const reset = await createPasswordResetService(api.database).issue(forgetful.email);
  if (!reset) throw new Error('There is no account to reset the password of.');
  const invitation = { email: `guest@${team.slug}.test`, role: 'member' };
  const [accepted, revoked, secondInvitation] = [
    await make('invitations', invitation),
    await make('invitations', { ...invitation, email: `second@${team.slug}.test` }),
    await make('invitations', { ...invitation, role: 'owner' }),
  ];
  const account = await make('service-accounts', { name: 'kept' });
  const idle = await make('service-accounts', { name: 'idle' });
  await call('patch', `service-accounts/${idle.id}`, { disabled: true })();
  const [rotating, ending] = [
    await make('tokens', { name: 'rotating', scopes: ['runs:read'] }),
    await make('tokens', { name: 'ending', scopes: ['runs:read'] }),
  ];
  const ended = await make('tokens', { name: 'ended', scopes: ['runs:read'] });
  await call('delete', `tokens/${ended.id}`)();

  const accept = (password: string) => async () =>
    api.http().post('/v1/invitations/accept').set(freshAddress()).send({ token: accepted.token, password });
  const resetTo = (newPassword: string) => async () =>
    api.http().post('/v1/auth/password-reset').set(freshAddress()).send({ token: reset.token, newPassword });
  const leave = { currentPassword: ownerPassword };
  const act = (action: AuditAction, send: () => Promise<Response>, entries = 1): TeamAct => ({
    ...{ action, send, entries },
  });
  const accountPath = `service-accounts/${account.id}`;
  const newToken = { name: 'new', scopes: ['runs:read'], serviceAccountId: account.id };

  const acts = [
    act('team.updated', call('patch', 'team', { name: 'Renamed' })),
    act('member.role-changed', call('patch', `members/${promoted.userId}`, { role: 'admin' })),
    act('member.removed', call('delete', `members/${removed.userId}`)),
    act('invitation.created', call('post', 'invitations', { ...invitation, role: 'viewer' })),
    act('invitation.revoked', call('delete', `invitations/${revoked.id}`)),
    // With the entry that somebody is a member now.
    act('invitation.accepted', accept(ownerPassword), 2),
    act('service-account.created', call('post', 'service-accounts', { name: 'new' })),
    act('service-account.updated', call('patch', accountPath, { description: 'd' })),
    act('token.created', call('post', 'tokens', newToken)),
    act('service-account.disabled', call('patch', accountPath, { disabled: true })),
    act('service-account.enabled', call('patch', `service-accounts/${idle.id}`, { disabled: false })),
    act('service-account.deleted', call('delete', accountPath)),
    act('token.rotated', call('post', `tokens/${rotating.id}/rotate`)),
    act('token.revoked', call('delete', `tokens/${ending.id}`)),
    act('password.reset', resetTo(ownerPassword)),
    act('account.deleted', call('delete', 'me', leave, leaving)),
  ];
  const nobody = '01890a5d-ac96-774b-bcce-b302099a8057';
  const failing = [
    act('team.updated', call('patch', 'team', { retentionDays: 0 })),
    act('member.role-changed', call('patch', `members/${team.ownerId}`, { role: 'viewer' })),
    act('member.role-changed', call('patch', `members/${promoted.userId}`, { role: 'owner' }, admin)),
    act('member.removed', call('delete', `members/${team.ownerId}`)),
    act('member.removed', call('delete', `members/${team.ownerId}`, {}, admin)),
    act('member.removed', call('delete', `members/${nobody}`)),
    act('invitation.created', call('post', 'invitations', { ...invitation, role: 'owner' }, admin)),
    act('invitation.revoked', call('delete', `invitations/${secondInvitation.id}`, {}, admin)),
    act('invitation.revoked', call('delete', `invitations/${nobody}`)),
    act('invitation.accepted', accept('short')),
    act('service-account.created', call('post', 'service-accounts', { name: 'kept' })),
    act('service-account.disabled', call('patch', `service-accounts/${nobody}`, { disabled: true })),
    act('service-account.deleted', call('delete', `service-accounts/${nobody}`)),
    act('token.created', call('post', 'tokens', { ...newToken, serviceAccountId: nobody })),
    act('token.rotated', call('post', `tokens/${ended.id}/rotate`)),
    act('token.revoked', call('delete', `tokens/${nobody}`)),
    act('password.reset', resetTo('short')),
    act('account.deleted', call('delete', 'me', leave)),
  ];
  const secrets = [accepted, revoked, secondInvitation, rotating, ending, ended].map(({ token }) => token);
  return { acts, failing, secrets: [...secrets, reset.token, ownerPassword] };
}
