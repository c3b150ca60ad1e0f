import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMonitor } from '../../../test/builders/read-monitor';
import { summarizeMonitor } from './monitor-summary';
import { findSawTooth } from './saw-tooth';

const HEADER =
  'index, utilization.gpu [%], power.draw [W], enforced.power.limit [W], clocks.sm [MHz], clocks.max.sm [MHz], clocks_throttle_reasons.active';

async function summaryOf(rows: readonly string[]) {
  const { monitor } = await readMonitor([HEADER, ...rows].join('\n'));
  return summarizeMonitor(monitor)[0];
}

const recording = (name: string) =>
  readMonitor(readFileSync(join(__dirname, '../../../test/recordings/gpu-monitor', name)));

describe('summarizeMonitor', () => {
  it('distribution, power against the limit', async () => {
    const rows = Array.from(
      { length: 11 },
      (_, i) => `0, ${i * 10}, ${i < 5 ? 300 : 690}, 700, 1980, 1980, 0x0`,
    );
    const summary = await summaryOf(rows);
    expect(summary.smUtilisation).toMatchObject({ p10: 0.1, p50: 0.5, p90: 0.9, max: 1 });
    expect(summary.smUtilisation?.mean).toBeCloseTo(0.5, 12);
    expect(summary).toMatchObject({ powerLimitW: 700, atPowerLimitShare: 6 / 11, intervalS: null });
    expect(summary).toMatchObject({ throttledShare: 0, throttleCause: null });
  });

  it.each([
    ['0x40', '400', 'thermal'],
    ['0x4', '400', 'power'],
    ['0x0', '695', 'power'],
    ['0x0', '400', 'unknown'],
  ])('reason %s at %s W of 700: %s', async (reasons, power, cause) => {
    const summary = await summaryOf([
      `0, 100, ${power}, 700, 1500, 1980, ${reasons}`,
      '0, 100, 400, 700, 1980, 1980, 0x0',
      // Idle: the low clock is the device's own choice.
      '0, 0, 90, 700, 345, 1980, 0x1',
    ]);
    expect(summary).toMatchObject({ throttledShare: 0.5, throttleCause: cause });
  });

  it('two recorded devices at their limit are held back by power', async () => {
    const { monitor } = await recording('ddp_healthy.dmon.txt');
    const [first, second] = summarizeMonitor(monitor, { powerLimitW: 700 });
    expect(first).toMatchObject({ intervalS: 1, throttleCause: 'power', atPowerLimitShare: 0.5 });
    expect(second).toMatchObject({ maxTemperatureC: 51, throttleCause: 'power', throttledShare: 0.5 });
  });

  it('leaves open what was not recorded', async () => {
    const { monitor } = await readMonitor('# gpu   mtemp\n# Idx   C\n    0   60\n');
    expect(summarizeMonitor(monitor)[0]).toMatchObject({
      smUtilisation: null,
      powerW: null,
      powerLimitW: null,
      atPowerLimitShare: null,
      throttledShare: null,
      throttleCause: null,
      sawTooth: null,
    });
  });
});

describe('findSawTooth', () => {
  const wave = (periods: number, up: number, down: number) =>
    Array.from({ length: periods }, () => [
      ...new Array<number>(up).fill(1),
      ...new Array<number>(down).fill(0),
    ]).flat();
  /** A fixed sequence without period. */
  const noise = Array.from({ length: 300 }, (_, i) => Math.abs(Math.sin(i * i * 12.9898) * 43758.5453) % 1);

  it('finds the period, not a multiple of it', () => {
    expect(findSawTooth(wave(12, 5, 3), 0.1)).toMatchObject({ periodSamples: 8 });
    const noisy = wave(30, 5, 5).map((value, i) => value + 0.5 * noise[i]);
    expect(findSawTooth(noisy, 0.1)?.periodSamples).toBe(10);
  });

  it('finds none in a level, in noise, in a slope, or in a series too short', () => {
    expect(findSawTooth(new Array<number>(64).fill(0.9), 0.1)).toBeNull();
    expect(findSawTooth(noise, 0.1)).toBeNull();
    expect(
      findSawTooth(
        Array.from({ length: 64 }, (_, i) => i),
        0.1,
      ),
    ).toBeNull();
    expect(findSawTooth(wave(2, 3, 3), 0.1)).toBeNull();
    expect(findSawTooth([], 0.1)).toBeNull();
    expect(findSawTooth([NaN, NaN], 0.1)).toBeNull();
  });
});
