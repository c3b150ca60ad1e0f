// A real OpenID provider on loopback. It logs in whom the address asks for: /interaction/<uid>?account=<subject>.
// OIDC_SETTINGS: JSON { port, clientId, clientSecret, redirectUris, accounts: { <subject>: claims } }.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const { port, clientId, clientSecret, redirectUris, accounts } = JSON.parse(process.env.OIDC_SETTINGS);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
  cookies: { keys: ['only on loopback'] },
  pkce: { required: () => true },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, id) => {
    const claims = accounts[id];
    return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
  },
  // Everybody agrees to everything.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session.accountId,
    });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});
const answer = provider.callback();

const server = createServer((request, response) => {
  const url = new URL(request.url, `http://127.0.0.1:${port}`);
  if (!url.pathname.startsWith('/interaction/')) return answer(request, response);
  const accountId = url.searchParams.get('account');
  // Without an account somebody pressed "cancel".
  const result = accountId ? { login: { accountId } } : { error: 'access_denied' };
  provider.interactionFinished(request, response, result).catch((error) => {
    response.statusCode = 400;
    response.end(String(error));
  });
});
server.listen(port, '127.0.0.1', () => console.log('the provider listens'));
process.once('disconnect', () => process.exit());
