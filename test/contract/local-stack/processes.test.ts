import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../../infra/local/process-identity';
import { superviseProcesses } from '../../../infra/local/processes';
import { ensureBuilt } from '../../harness/build';
import { processesWith, runScript, type Script } from './compiled';
import { eventually, temporaryFolder } from './temporary-folder';

const folder = temporaryFolder();
const ends = join(folder.path, 'ends.log');
const env = { PATH: process.env.PATH };
let parent: string;

function script(name: string, text: string): string {
  const file = join(folder.path, `${name}.js`);
  writeFileSync(file, text);
  return file;
}

/** Ends cleanly on SIGTERM and with its parent, and notes it. */
const polite = (dist: string) => `
  const { exitWithParent } = require(${JSON.stringify(join(dist, 'src/platform/config/exit-with-parent.js'))});
  const note = (why) => require('fs').appendFileSync(${JSON.stringify(ends)}, process.argv[2] + ' ' + why + '\\n');
  const timer = setInterval(() => {}, 1000);
  process.on('SIGTERM', () => { note('SIGTERM'); clearInterval(timer); });
  exitWithParent(async () => note('parent'));
  console.log('ready');`;

/** Ends for nobody. */
const stubborn = `
  process.on('SIGTERM', () => {});
  process.on('disconnect', () => {});
  setInterval(() => {}, 1000);
  console.log('ready');`;

async function startParent(): Promise<{ running: Script; pids: number[] }> {
  const running = runScript(parent, [], env);
  await eventually(
    'the children are ready',
    20_000,
    () => running.stdout().includes('up') || running.child.exitCode !== null,
  );
  return {
    running,
    pids: (/up (.*)/.exec(running.stdout())?.[1] ?? running.stderr()).split(' ').map(Number),
  };
}

const notes = () => readFileSync(ends, 'utf8').trim().split('\n').sort();

describe('child processes', () => {
  beforeAll(async () => {
    const dist = await ensureBuilt();
    const [politeFile, stubbornFile] = [script('polite', polite(dist)), script('stubborn', stubborn)];
    parent = script(
      'parent',
      `const { superviseProcesses } = require(${JSON.stringify(join(dist, 'infra/local/processes.js'))});
       const { stopOnSignals } = require(${JSON.stringify(join(dist, 'infra/local/stop-on-signals.js'))});
       const supervisor = superviseProcesses(${JSON.stringify(folder.path)}, console.error);
       stopOnSignals(() => supervisor.stopAll(), console.error);
       setInterval(() => {}, 1000);
       const start = (name, entry) => supervisor.start({
         name, entry, args: [name], env: process.env, readyWhen: { output: /ready/ }, stopBoundMs: 2000 });
       (async () => {
         const children = [];
         for (const [name, entry] of [['first', ${JSON.stringify(politeFile)}], ['second', ${JSON.stringify(politeFile)}],
           ['stubborn', ${JSON.stringify(stubbornFile)}]]) children.push(await start(name, entry));
         console.log('up ' + children.map((child) => child.pid).join(' '));
         process.on('SIGUSR2', () => { throw new Error('on purpose'); });
       })();`,
    );
  });
  beforeEach(() => writeFileSync(ends, ''));
  afterAll(() => folder.remove());

  it('stop by themselves when the parent is killed, the stubborn one by its guard', async () => {
    const { running, pids } = await startParent();
    expect(pids.filter(isAlive)).toHaveLength(3);
    running.child.kill('SIGKILL');
    await running.ended;
    await eventually('all children have ended', 15_000, () => !pids.some(isAlive));
    // The channel closes and the guard sends SIGTERM: either may be the first.
    expect(notes().map((note) => note.split(' ')[0])).toEqual(expect.arrayContaining(['first', 'second']));
    expect(processesWith(folder.path)).toEqual([]);
  });

  it('are stopped youngest first on SIGINT, and killed when they do not stop', async () => {
    const { running, pids } = await startParent();
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual({ code: 0, signal: null });
    expect(pids.some(isAlive)).toBe(false);
    expect(readFileSync(ends, 'utf8')).toBe('second SIGTERM\nfirst SIGTERM\n');
  });

  it('are stopped when the parent fails with an uncaught error', async () => {
    const { running, pids } = await startParent();
    running.child.kill('SIGUSR2');
    expect(await running.ended).toMatchObject({ code: 1 });
    expect(running.stderr()).toContain('on purpose');
    expect(pids.some(isAlive)).toBe(false);
    expect(notes()).toHaveLength(2);
  });

  it('end by the closed channel alone', async () => {
    const { running, pids } = await startParent();
    for (const pid of pids)
      for (const guard of processesWith(`stallscope-guard ${pid} `)) process.kill(guard, 'SIGKILL');
    running.child.kill('SIGKILL');
    await running.ended;
    const [first = 0, second = 0, stubbornPid = 0] = pids;
    await eventually('both have ended', 10_000, () => !isAlive(first) && !isAlive(second));
    expect(notes()).toEqual(['first parent', 'second parent']);
    process.kill(stubbornPid, 'SIGKILL');
  });

  it('that end before they are ready are reported with their last words', async () => {
    const lines: string[] = [];
    const supervisor = superviseProcesses(folder.path, (line) => lines.push(line));
    const entry = script('failing', `console.error('no database'); process.exit(3);`);
    const attempt = supervisor.start({ name: 'failing', entry, env, readyWhen: { output: /ready/ } });
    await expect(attempt).rejects.toMatchObject({
      code: 'process_not_ready',
      message: expect.stringMatching(/failing: it ended \(exit code 3\)[^]*no database/) as string,
    });
  });

  it('are ready when their address answers, and their unexpected end is reported', async () => {
    const lines: string[] = [];
    const supervisor = superviseProcesses(folder.path, (line) => lines.push(line));
    const entry = script(
      'server',
      `let asked = 0;
       require('http').createServer((_, res) => { res.statusCode = ++asked < 3 ? 503 : 200; res.end(); })
         .listen(Number(process.env.PORT), '127.0.0.1');`,
    );
    const { findFreePort } = await import('../../../infra/local/free-port');
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/`;
    const child = await supervisor.start({
      name: 'server',
      entry,
      env: { ...env, PORT: String(port) },
      readyWhen: { url },
    });
    expect((await fetch(url)).status).toBe(200);
    process.kill(child.pid, 'SIGKILL');
    await child.ended;
    expect(lines).toEqual([expect.stringContaining('server ended unexpectedly (signal SIGKILL)')]);
    await supervisor.stopAll();
  });

  it('that are not ready in time are stopped', async () => {
    const supervisor = superviseProcesses(folder.path, () => undefined);
    const entry = script('silent', 'setInterval(() => {}, 1000);');
    const attempt = supervisor.start({
      name: 'silent',
      entry,
      env,
      readyWhen: { output: /ready/ },
      readyBoundMs: 500,
    });
    await expect(attempt).rejects.toMatchObject({ code: 'process_not_ready' });
    expect(processesWith(entry)).toEqual([]);
  });
});
