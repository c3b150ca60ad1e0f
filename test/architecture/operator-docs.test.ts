import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { variableGroups } from '../../src/platform/config/environment';

const ROOT = join(__dirname, '../..');
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const pages = [
  'docs/operations.md',
  'docs/scaling.md',
  ...readdirSync(join(ROOT, 'infra/runbooks')).map((name) => `infra/runbooks/${name}`),
];
const variables = new Set(Object.values(variableGroups).flatMap((group) => Object.keys(group)));
/** Read by `bootstrap` alone. */
variables.add('BOOTSTRAP_MEMBER_PASSWORD');
/** Of shells, databases and the system. */
const OTHERS = /^(SIGTERM|SIGKILL|SELECT .*|CREATE .*|EXPLAIN|ANALYZE|BOOTSTRAP_|UPDATE .*)$/;

describe.each(pages)('%s', (page) => {
  it('names variables that there are', () => {
    for (const [, name] of text(page).matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]*)(?:=\w+)?`/g)) {
      if (!OTHERS.test(name)) expect([name, variables.has(name)]).toEqual([name, true]);
    }
  });

  it('names commands that there are', () => {
    const main = text('src/main.ts');
    for (const [, command] of text(page).matchAll(/dist\/src\/main\.js ([a-z][a-z-]*)/g)) {
      expect(main).toMatch(new RegExp(`\\.command\\('${command}'`));
    }
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
    for (const [, script] of text(page).matchAll(/npm run ([a-z:]+)/g))
      expect(scripts).toHaveProperty(script);
  });

  it('leads to pages that there are', () => {
    for (const [, link] of text(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect([link, existsSync(join(ROOT, dirname(page), link))]).toEqual([link, true]);
    }
  });
});

it('every runbook is in the list of runbooks', () => {
  const list = text('infra/runbooks/README.md');
  for (const page of pages.filter((name) => name.startsWith('infra/runbooks/'))) {
    const name = page.slice('infra/runbooks/'.length);
    if (name !== 'README.md') expect(list).toContain(`(${name})`);
  }
});
