import { randomBytes } from 'node:crypto';
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { createTeamsService, type Role, scopes, type TeamsService } from '../../src/modules/teams';
import { ensureWebBuilt } from './build';
import { launchChromium } from './chromium';
import { PipelineBench, TeamClient } from './pipeline-bench';

const password = 'correct horse battery staple';
/** What a browser writes about an answer that is no success; the tests say which answers they want. */
const FAILED_REQUEST = /Failed to load resource/;

export interface WebTeam {
  teamId: string;
  slug: string;
  email: string;
  client: TeamClient;
}

/** The whole product with its pages, and a browser. */
export class WebBench {
  /** What pages threw or complained about, such as a broken content security policy. */
  readonly complaints: string[] = [];

  private constructor(
    readonly bench: PipelineBench,
    private readonly browser: Browser,
    private readonly teams: TeamsService,
  ) {}

  /** `overrides`: variables of the processes. */
  static async open(executablePath: string, overrides: Record<string, string> = {}): Promise<WebBench> {
    await ensureWebBuilt();
    const bench = await PipelineBench.open(overrides);
    const browser = await launchChromium(executablePath);
    return new WebBench(bench, browser, createTeamsService(bench.database));
  }

  /** A team with an owner; the same person in several teams by the same address. */
  async team(email?: string): Promise<WebTeam> {
    const slug = `t${randomBytes(6).toString('hex')}`;
    const owner = { email: email ?? `owner@${slug}.test`, password };
    const { teamId } = await this.teams.createTeamWithOwner({ slug, owner });
    const { token } = await this.teams.createApiToken(teamId, { name: 'test', scopes: [...scopes] });
    return {
      teamId,
      slug,
      email: owner.email,
      client: new TeamClient(this.bench.api.baseUrl, teamId, token),
    };
  }

  /** A page of a browser that nobody has signed in with. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.bench.api.baseUrl,
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !FAILED_REQUEST.test(message.text()))
        this.complaints.push(message.text());
    });
    return page;
  }

  /** Somebody new in the team; one person cannot sign in over and over. */
  async person({ teamId }: WebTeam, role: Role): Promise<{ email: string }> {
    const email = `${randomBytes(6).toString('hex')}@people.test`;
    await this.teams.addMember(teamId, { email, password, role });
    return { email };
  }

  /** A page of somebody new who has signed in, at this path of the team; a viewer unless another role is given. */
  async signedIn(
    team: WebTeam,
    path = '/runs',
    { role = 'viewer', ...options }: BrowserContextOptions & { role?: Role } = {},
  ): Promise<Page> {
    const page = await this.page(options);
    await page.goto(`/t/${team.slug}${path}`);
    await this.signIn(page, await this.person(team, role));
    return page;
  }

  async signIn(page: Page, { email }: { email: string }): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => url.pathname !== '/sign-in');
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.bench.close();
  }
}
