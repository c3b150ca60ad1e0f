import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takersOf } from '../builders/read-format';
import { plain, readMonitor } from '../builders/read-monitor';

const MIB = 2 ** 20;

async function monitorOf(name: string) {
  const bytes = readFileSync(join(__dirname, '../recordings/gpu-monitor', name));
  expect(takersOf(bytes)).toEqual(['gpu-monitor']);
  const { monitor, problems } = await readMonitor(bytes, name);
  expect(problems.list()).toEqual([]);
  return monitor;
}

describe('GPU monitors of recorded runs', () => {
  test('dmon of two devices at their power limit', async () => {
    const monitor = await monitorOf('ddp_healthy.dmon.txt');
    expect(monitor.tool).toBe('nvidia-smi-dmon');
    expect(plain(monitor)['1']).toEqual({
      powerW: [640, 684],
      temperatureC: [51, 51],
      memoryTemperatureC: [44, 48],
      smUtilisation: [1, 1],
      memoryUtilisation: [0.47, 0.45],
      memoryClockMhz: [3201, 3201],
      smClockMhz: [1680, 1515],
      powerViolation: [0, 1],
      thermalViolation: [0, 0],
      memoryUsedBytes: [29507 * MIB, 29507 * MIB],
    });
    expect([...monitor.devices[1].timeMs]).toEqual([
      Date.UTC(2026, 10, 29, 23, 5, 51),
      Date.UTC(2026, 10, 29, 23, 5, 52),
    ]);
  });

  test('query CSV of a run with pauses', async () => {
    const monitor = await monitorOf('jitter.nvidia-smi.csv');
    expect(monitor.devices).toHaveLength(1);
    const [device] = monitor.devices;
    expect(device).toMatchObject({ id: '0', index: 0, name: 'NVIDIA H200', sampleCount: 16 });
    expect(device.timeMs[1] - device.timeMs[0]).toBe(263);
    const columns = plain(monitor)['0'];
    expect(columns.smUtilisation).toEqual(
      [3, 99, 0, 1, 0, 100, 0, 29, 0, 88, 0, 54, 0, 90, 0, 0].map((percent) => percent / 100),
    );
    expect(columns.powerW.slice(0, 3)).toEqual([259.5, 269.28, 269.43]);
    expect(columns.temperatureC[9]).toBe(49);
    expect(columns.memoryTotalBytes[0]).toBe(143771 * MIB);
    expect(columns.smClockMhz).toEqual(new Array<number>(16).fill(1980));
  });
});
