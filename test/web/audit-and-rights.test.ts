import { inChromium } from '../harness/chromium';
import { expectCount, expectPresentable, expectPresentableEverywhere } from '../harness/presentable';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

let web: WebBench;
let team: WebTeam;

describe('the rights of roles in the pages', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    team = await web.team();
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  it('tell a viewer which role an admin page needs, and offer only what they may open', async () => {
    const page = await web.signedIn(team, '/settings/members');
    await page.getByRole('heading', { level: 1, name: 'This page is for admins' }).waitFor();
    await page.getByText('You need the role admin or owner').waitFor();
    await page.getByText(/Your role in .* is viewer\./).waitFor();
    await expectPresentableEverywhere(page, 'no-permission');
    const sections = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    expect(await sections.allTextContents()).toEqual(['Usage', 'Your account']);
    await page.getByRole('button', { name: /^Team / }).click();
    await page.getByRole('menuitem', { name: 'Usage' }).waitFor();
    for (const name of ['Members', 'API tokens', 'Webhooks', 'Audit log'])
      await expectCount(page.getByRole('menuitem', { name }), 0);
    await page.getByRole('menuitem', { name: 'Usage' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    for (const path of ['tokens', 'webhooks', 'webhooks/01890a5d-ac96-774b-bcce-b302099a8057', 'audit']) {
      await page.goto(`/t/${team.slug}/settings/${path}`);
      await page.getByText('You need the role admin or owner').waitFor();
    }
    await page.goto(`/t/${team.slug}/settings`);
    await page.waitForURL(/\/settings\/account$/);
  });

  it('tell whoever lost the role while the page was open', async () => {
    const page = await web.signedIn(team, '/settings/tokens', { role: 'admin' });
    await page.getByRole('heading', { level: 1, name: 'API tokens' }).waitFor();
    await web.bench.query(
      `UPDATE memberships SET role = 'member' WHERE team_id = $1::uuid AND role = 'admin'`,
      team.teamId,
    );
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('late');
    await page.getByRole('checkbox', { name: 'runs:read' }).check();
    await page.getByRole('button', { name: 'Create the token' }).click();
    await page.getByText(/Your role in .* is member\./).waitFor();
    await expectCount(page.getByRole('dialog'), 0);
    await expectPresentable(page, 'no-permission-any-more');
  });

  it('do not tell what another team has', async () => {
    const other = await web.team();
    const page = await web.signedIn(other, `/settings/members`, { role: 'admin' });
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    await page.goto(`/t/${team.slug}/settings/members`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.goto(`/t/${other.slug}/settings/nothing`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await expectPresentable(page);
  });

  it('list the audit log for admins, by what, whom and when, with the filters in the address', async () => {
    const { client } = team;
    for (let i = 0; i < 60; i++)
      await client.call('POST', '/v1/service-accounts', { name: `machine-${i}`, description: '' });
    const { body } = await client.call<{ id: string }>('POST', '/v1/tokens', {
      name: 'n'.repeat(100),
      scopes: ['runs:read', 'runs:write'],
      limits: { models: ['gpt-136m'], clusters: [] },
    });
    const page = await web.signedIn(team, '/settings/audit', { role: 'admin' });
    const log = page.getByRole('group', { name: 'Audit log' });
    await page.getByText('On this page: 50,').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/cursor=/);
    await log.getByText('Team created').waitFor();

    await page.getByLabel('Action').selectOption('Token created');
    await page.waitForURL(/\?action=token\.created$/);
    await page.getByText(/^On this page: [12],/).waitFor();
    const created = page.getByRole('row').filter({ hasText: body.id });
    await created.getByRole('button', { name: /^Details/ }).click();
    await page.getByRole('row', { name: /^name n{100}$/ }).waitFor();
    await page.getByRole('row', { name: 'scopes runs:read, runs:write', exact: true }).waitFor();
    await page.getByRole('row', { name: /^network address .*127\.0\.0\.1$/ }).waitFor();
    await expectPresentableEverywhere(page, 'audit');

    await page.goBack();
    await log.getByText('Team created').waitFor();
    await page.goto(`/t/${team.slug}/settings/audit?action=service-account.created`);
    await page.getByRole('button', { name: 'Only this actor: test' }).first().click();
    await page.waitForURL(/actor=/);
    const chosen = page.getByLabel('Actor').locator('option:checked');
    await chosen.filter({ hasText: /^test$/ }).waitFor({ state: 'attached' });
    await page.getByLabel('To (UTC)').fill('2020-01-01');
    await page.getByText('No entry matches all of these filters.').waitFor();
    await expectPresentable(page, 'audit-nothing');
    await page.getByRole('button', { name: 'Show all entries' }).click();
    await page.getByText('On this page: 50,').waitFor();
    await page.goto(`/t/${team.slug}/settings/audit?from=yesterday`);
    await page.getByRole('alert').getByText('validation-failed').waitFor();
  });
});
