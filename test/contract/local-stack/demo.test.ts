import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { removeLocalStack } from '../../../infra/local/stack';
import { ensureBuilt } from '../../harness/build';
import { processesWith, runScript } from './compiled';
import { eventually, temporaryFolder } from './temporary-folder';

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('the demonstration', () => {
  it('ends with lines that give a shell what the examples need, and stops everything on Ctrl-C', async () => {
    const dataDir = join(folder.path, 'demo');
    const main = join(await ensureBuilt(), 'infra/local/demo/main.js');
    const env = { PATH: process.env.PATH, STALLSCOPE_QUEUE: 'postgres' };
    const demo = runScript(main, ['--data', dataDir], env);
    try {
      await eventually(
        'the demonstration has shown everything',
        170_000,
        () => demo.stdout().includes('Ctrl-C stops') || demo.child.exitCode !== null,
      );
      const banner = /Where to look further[^]*$/.exec(demo.stdout())?.[0] ?? demo.stderr();
      expect(banner).toMatch(/\nexport SERVER=http:\S+\nexport TOKEN=sst_\S+\n/);
      const exports = banner.match(/^export .*$/gm)?.join('\n');
      const example = /curl -H .*$/m.exec(banner)?.[0];
      const shell = spawnSync('/bin/sh', ['-c', `${exports}\n${example}`], { env, encoding: 'utf8' });
      const { items } = JSON.parse(shell.stdout) as { items: { state: string }[] };
      expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['done']));
      demo.child.kill('SIGINT');
      expect(await demo.ended).toEqual({ code: 0, signal: null });
    } finally {
      demo.child.kill('SIGINT');
      await demo.ended;
    }
    expect(processesWith(dataDir)).toEqual([]);
    removeLocalStack(dataDir);
  }, 240_000);
});
