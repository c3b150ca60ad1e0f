import { NsysExport } from '../../../../test/builders/nsys-export';
import { TEST_LIMITS } from '../../../../test/builders/kineto-trace';
import { analyzeRun } from '../../analyze-run';

const STEP_NS = 1_000_000;
const STEPS = 6;

/** Steps of 1 ms: 400 µs in a range of the loader, then a kernel of 500 µs, then the optimizer. */
function run(loader: string, optimizer: string): NsysExport {
  const file = new NsysExport();
  for (let step = 0; step < STEPS; step++) {
    const at = step * STEP_NS;
    file
      .range(loader, at, at + 400_000)
      .call('cudaLaunchKernel_v7000', { start: at + 400_000, end: at + 405_000, correlationId: step })
      .kernel('gemm', { start: at + 410_000, end: at + 910_000, correlationId: step })
      .range(optimizer, at + 920_000, at + 990_000);
  }
  return file;
}

test.each([
  ['data loading', 'optimizer step'],
  ['get_batch', 'optimizer'],
  ['dataloader', 'optim.step'],
])('ranges named %j and %j tell steps and waiting for input', async (loader, optimizer) => {
  const bytes = run(loader, optimizer).bytes();
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  const report = await analyzeRun([{ path: 'report.sqlite', open }], { limits: TEST_LIMITS });
  const [{ steps, stepsFrom }] = report.ranks;
  expect(stepsFrom).toBe('repetition');
  expect(steps).toHaveLength(STEPS - 1);
  for (const { wallNs, computeNs, idle } of steps)
    expect([wallNs, computeNs, idle.inputWaitNs]).toEqual([STEP_NS, 500_000, 400_000]);
});

test('ranges of other names tell neither', async () => {
  const bytes = run('augment', 'scheduler').bytes();
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  const report = await analyzeRun([{ path: 'report.sqlite', open }], { limits: TEST_LIMITS });
  expect(report.ranks[0].steps.every(({ idle }) => idle.inputWaitNs === 0)).toBe(true);
});
