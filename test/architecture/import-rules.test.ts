import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../..');
const DEPCRUISE = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/** Violations planted in an otherwise empty project, each with the rule that must stop it. */
const PLANTED: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['analysis-is-pure', 'src/analysis/rules/a.ts', 'node:fs'],
  ['analysis-is-pure', 'src/analysis/formats/x/a.ts', '../../../platform/queue/index'],
  ['analysis-only-door', 'src/modules/runs/a.ts', '../../analysis/rules/some-rule'],
  ['analysis-layer-formats', 'src/analysis/formats/x/a.ts', '../../rules/some-rule'],
  ['formats-never-import-formats', 'src/analysis/formats/x/a.ts', '../y/index'],
  ['rules-never-import-rules', 'src/analysis/rules/a.ts', './some-rule'],
  ['platform-knows-no-module', 'src/platform/http/a.ts', '../../modules/runs/index'],
  ['modules-by-index', 'src/modules/runs/a.ts', '../reports/inner'],
  ['web-knows-the-api-and-words', 'web/src/a.ts', '../../src/analysis/index'],
  ['nothing-imports-web', 'src/modules/runs/a.ts', '../../../web/src/main'],
  ['nothing-imports-workers', 'src/modules/runs/a.ts', '../../../workers/index'],
  ['product-knows-no-local-stack', 'src/modules/runs/a.ts', '../../../infra/local/stack'],
  [
    'only-repositories-reach-the-database',
    'src/modules/runs/a.service.ts',
    '../../platform/database/generated/client',
  ],
];

const TARGETS = [
  'src/analysis/index.ts',
  'src/analysis/rules/some-rule.ts',
  'src/analysis/formats/y/index.ts',
  'src/modules/runs/index.ts',
  'src/modules/reports/inner.ts',
  'src/modules/reports/index.ts',
  'src/platform/queue/index.ts',
  'src/platform/database/generated/client.ts',
  'workers/index.ts',
  'web/src/main.ts',
  'infra/local/stack.ts',
];

test.each(PLANTED)('%s stops %s from importing %s', async (rule, from, to) => {
  const project = mkdtempSync(join(tmpdir(), 'import-rules-'));
  try {
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    };
    for (const target of TARGETS) write(target, 'export const x = 1;\n');
    write(from, `import * as planted from '${to}';\nexport const used = planted;\n`);
    copyFileSync(join(ROOT, '.dependency-cruiser.cjs'), join(project, '.dependency-cruiser.cjs'));
    copyFileSync(join(ROOT, 'tsconfig.json'), join(project, 'tsconfig.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    const args = [
      DEPCRUISE,
      'src',
      'workers',
      'web',
      'infra',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err',
    ];
    const failure = await promisify(execFile)(process.execPath, args, { cwd: project }).then(
      () => null,
      (error: { stdout: string }) => error.stdout,
    );
    expect(failure).toContain(`error ${rule}`);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
