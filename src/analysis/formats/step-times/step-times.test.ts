import { readStepTimes, takersOf } from '../../../../test/builders/read-format';

const MS = 1e6;

async function read(text: string, path = 'step_times.rank3.csv') {
  expect(takersOf(text)).toEqual(['step-times']);
  return readStepTimes(text, path);
}

describe('step times', () => {
  it('reads JSON Lines and CSV of the hook alike', async () => {
    const json = await read(
      '{"step": 0, "host_s": 0.025, "device_ms": 35.5}\n{"step": 1, "host_s": 0.021}\n',
    );
    const csv = await read('step,host_s,device_ms\r\n0,0.025,35.5\r\n1,0.021,\r\n');
    expect(csv.stepTimes).toEqual(json.stepTimes);
    expect(csv.stepTimes).toEqual({
      source: 'stallscope',
      rank: 3,
      step: [0, 1],
      stepsAveraged: [1, 1],
      hostNs: [25 * MS, 21 * MS],
      deviceNs: [35.5 * MS, NaN],
      figures: {},
    });
  });

  it('keeps the numbers of steps between which others were not timed', async () => {
    const { stepTimes, problems } = await read(
      '{"step": 0, "host_s": 0.000101000, "device_ms": 0.1005}\n{"step": 317, "host_s": 0.000099, "device_ms": 0.1}\n',
    );
    expect(stepTimes).toMatchObject({ step: [0, 317], stepsAveraged: [1, 1], hostNs: [101_000, 99_000] });
    expect(problems.list()).toEqual([]);
  });

  it('counts damaged rows and keeps the others', async () => {
    const { stepTimes, problems } = await read(
      [
        'device_ms, step, host_s',
        '1.5, 0, 0.002',
        'nonsense',
        '1.5, 1',
        '1.5, one, 0.002',
        'NaN, 2, -4',
        'device_ms, step, host_s',
        '1.5, 3, 0.002',
        '9, 4, 1e300',
        ', 5, 0.0',
      ].join('\n'),
    );
    expect(stepTimes.step).toEqual([0, 3, 4, 5]);
    expect(stepTimes.hostNs).toEqual([2 * MS, 2 * MS, NaN, 0]);
    expect(problems.count('malformed-event')).toBe(4);
  });

  it('reads what Lightning’s throughput monitor logs', async () => {
    const { stepTimes, problems } = await read(
      [
        'epoch,step,train_loss,train|device/batches_per_sec,train|device/flops_per_sec,train|device/samples_per_sec',
        '0,49,2.5,,,',
        '0,49,,4.0,1e14,32.0',
        '0,99,,5.0,1.25e14,40.0',
      ].join('\n'),
      'metrics.csv',
    );
    expect(stepTimes).toMatchObject({
      source: 'lightning',
      rank: null,
      step: [49, 99],
      stepsAveraged: [1, 50],
    });
    expect(stepTimes.hostNs).toEqual([250 * MS, 200 * MS]);
    expect(stepTimes.figures).toEqual({ samplesPerSecond: [32, 40], deviceFlopPerSecond: [1e14, 1.25e14] });
    expect(problems.list()).toEqual([]);
  });
});
