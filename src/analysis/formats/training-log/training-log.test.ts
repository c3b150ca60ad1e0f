import { readStepTimes, takersOf } from '../../../../test/builders/read-format';

const MS = 1e6;

async function read(lines: readonly string[], path?: string) {
  const text = lines.join('\n');
  expect(takersOf(text)).toEqual(['training-log']);
  return readStepTimes(text, path);
}

describe('training logs', () => {
  it('Megatron-LM: the mean since the line before, per-device FLOP/s, memory of a rank', async () => {
    const line = (n: number, ms: number) =>
      ` [2024-08-21 10:19:42] iteration ${String(n).padStart(8)}/   25000 | consumed samples: ${n * 1024} | elapsed time per iteration (ms): ${ms} | throughput per GPU (TFLOP/s/GPU): 449.6 | learning rate: 7.5E-08 | global batch size:  1024 | lm loss: 2.1E+00 |`;
    const { stepTimes, problems } = await read([
      line(100, 270.5),
      '[Rank 0] (after 100 iterations) memory (MB) | allocated: 100.5 | max allocated: 200.0 | reserved: 300.0 | max reserved: 300.0',
      '[Rank 8] (after 100 iterations) memory (MB) | allocated: 101.5 | max allocated: 220.0 | reserved: 300.0 | max reserved: 300.0',
      line(200, 265),
    ]);
    expect(stepTimes).toEqual({
      source: 'megatron',
      rank: null,
      step: [100, 200],
      stepsAveraged: [100, 100],
      hostNs: [270.5 * MS, 265 * MS],
      deviceNs: [NaN, NaN],
      figures: {
        deviceFlopPerSecond: [449.6e12, 449.6e12],
        memoryBytes: [100.5 * 2 ** 20, NaN],
        peakMemoryBytes: [220 * 2 ** 20, NaN],
      },
    });
    expect(problems.list()).toEqual([]);
  });

  it('torchtitan: the time between stamps; of several ranks the first', async () => {
    const line = (rank: number, time: string, step: number, tps: string) =>
      `[rank${rank}]:[titan] 2025-10-30 14:32:${time} - root - INFO - \u001b[31mstep: ${String(step).padStart(2)}  \u001b[32mloss:  8.1661  \u001b[33mmemory:  2.50GiB(3.12%)  \u001b[34mtps: ${tps}  \u001b[36mtflops: 96.17  \u001b[35mmfu: 9.72%\u001b[39m`;
    const { stepTimes, problems } = await read([
      '[rank3]:[titan] 2025-10-30 14:32:50,000 - root - INFO - Starting job: debug',
      line(3, '58,897', 1, '3,502'),
      line(4, '58,897', 1, '3,502'),
      line(3, '58,990', 2, '177,138'),
      line(4, '58,991', 2, '177,138'),
      line(3, '59,077', 3, '189,694'),
    ]);
    expect(stepTimes).toMatchObject({ source: 'torchtitan', rank: 3, step: [1, 2, 3] });
    expect(stepTimes.hostNs).toEqual([NaN, 93 * MS, 87 * MS]);
    expect(stepTimes.figures).toEqual({
      deviceTokensPerSecond: [3502, 177138, 189694],
      deviceFlopPerSecond: [96.17e12, 96.17e12, 96.17e12],
      peakMemoryBytes: [2.5 * 2 ** 30, 2.5 * 2 ** 30, 2.5 * 2 ** 30],
    });
    expect(problems.count('log-steps-repeat')).toBe(2);
  });

  it('torchtitan without prefixes: ranks repeat each step and are counted once', async () => {
    const line = (time: string, step: number) =>
      `2025-10-30 14:32:${time} - step: ${step}  loss: 8.1  tps: 100`;
    const { stepTimes } = await read([
      line('01,000', 1),
      line('01,001', 1),
      line('02,000', 2),
      line('01,999', 2),
      line('03,000', 3),
      line('02,990', 2),
      line('04,000', 4),
    ]);
    expect(stepTimes.step).toEqual([1, 2, 3, 4]);
    expect(stepTimes.hostNs).toEqual([NaN, 1000 * MS, 1000 * MS, 1000 * MS]);
  });

  it('nanoGPT and its descendants: the time of one step, whatever the interval of lines', async () => {
    const nano = await read([
      'iter 0: loss 10.98, time 1234.50ms, mfu -100.00%',
      'step 0: train loss 10.9, val loss 10.9',
      'iter 10: loss 9.98, time 134.25ms, mfu 40.00%',
    ]);
    expect(nano.stepTimes).toMatchObject({ source: 'nanogpt', step: [0, 10], stepsAveraged: [1, 1] });
    expect(nano.stepTimes.hostNs).toEqual([1234.5 * MS, 134.25 * MS]);
    const built = await read([
      'step     5 | loss: 10.95 | lr 1.0e-04 | norm: 1.2 | dt: 338.50ms | tok/sec: 1548,000.50',
    ]);
    expect(built.stepTimes.figures).toEqual({ tokensPerSecond: [1548000.5] });
    const c = await read([
      'step    7/19560 | loss 11.009 (+nanz)| norm 15.37 (+nanz)| lr 6.00e-07 | 1234.50 ms | 43.2% bf16 MFU | 424000 tok/s',
    ]);
    expect(c.stepTimes).toMatchObject({ source: 'llm.c', step: [7], hostNs: [1234.5 * MS] });
    expect(c.stepTimes.figures).toEqual({ tokensPerSecond: [424000] });
  });

  it('modded-nanogpt: differences of the time since the start, which begins anew', async () => {
    const { stepTimes } = await read([
      'step:9/5100 train_loss:7.2 train_time:54704ms step_avg:nanms',
      'step:10/5100 train_loss:7.0 train_time:54881ms step_avg:nanms',
      'step:11/5100 train_loss:6.9 train_time:176ms step_avg:nanms',
      'step:12/5100 train_loss:6.8 train_time:353ms step_avg:nanms',
      'step:12/5100 val_loss:6.8 train_time:360ms step_avg:176.69ms',
      'step:22/5100 train_loss:6.7 train_time:2353ms step_avg:176.69ms',
    ]);
    expect(stepTimes.step).toEqual([10, 12, 22]);
    expect(stepTimes.hostNs).toEqual([177 * MS, 177 * MS, 200 * MS]);
    expect(stepTimes.stepsAveraged).toEqual([1, 1, 10]);
  });

  it('DeepSpeed: stamps of the throughput timer, or the time that the pipeline engine tells', async () => {
    const timer = (time: string, n: number) =>
      `[2023-11-29 08:55:${time}] [INFO] [timer.py:260:stop] epoch=0/micro_step=${n}/global_step=${n}, RunningAvgSamplesPerSec=291.5, CurrSamplesPerSec=300.5, MemAllocated=17.5GB, MaxMemAllocated=66.0GB`;
    const { stepTimes } = await read([timer('00,932', 10), timer('10,932', 20)]);
    expect(stepTimes).toMatchObject({ source: 'deepspeed', step: [10, 20], stepsAveraged: [10, 10] });
    expect(stepTimes.hostNs).toEqual([NaN, 1000 * MS]);
    expect(stepTimes.figures.samplesPerSecond).toEqual([300.5, 300.5]);
    expect(stepTimes.figures.peakMemoryBytes).toEqual([66 * 2 ** 30, 66 * 2 ** 30]);
    const pipeline = await read([
      '[2023-11-29 08:50:44,619] [INFO] [real_accelerator.py:158:get_accelerator] Setting ds_accelerator to cuda (auto detect)',
      'steps: 10 loss: 9.1234 iter time (s): 1.250 samples/sec: 6.480',
    ]);
    expect(pipeline.stepTimes).toMatchObject({ step: [10], hostNs: [1250 * MS] });
  });

  it('Trainer: its progress bar over stretches of ten seconds, not the bars of evaluations', async () => {
    const bar = (n: number, elapsed: string, total = 500) =>
      `  5%|▌         | ${n}/${total} [${elapsed}<03:58,  2.00it/s]`;
    const { stepTimes } = await read([
      'Map: 100%|██████████| 9000/9000 [00:30<00:00, 300.00 examples/s]',
      '  0%|          | 0/500 [00:00<?, ?it/s]\r' + bar(1, '00:04') + '\r' + bar(4, '00:10'),
      "{'loss': 1.1074, 'grad_norm': 5.49, 'learning_rate': 1e-05, 'epoch': 1.0}",
      bar(3, '00:05', 40) + '\r' + bar(10, '00:14') + '\r' + bar(14, '1:00:30'),
    ]);
    expect(stepTimes).toMatchObject({ source: 'huggingface', step: [4, 14], stepsAveraged: [4, 10] });
    expect(stepTimes.hostNs).toEqual([2500 * MS, 362_000 * MS]);
  });

  it('Trainer without a bar: the mean of the summary', async () => {
    const { stepTimes, problems } = await read([
      "{'loss': 1.1074, 'epoch': 1.0}",
      "{'train_runtime': 120.5, 'train_samples_per_second': 53.1, 'train_steps_per_second': 2.0, 'train_loss': 1.2, 'epoch': 3.0}",
    ]);
    expect(stepTimes).toMatchObject({ step: [241], stepsAveraged: [241], hostNs: [500 * MS] });
    expect(stepTimes.figures).toEqual({ samplesPerSecond: [53.1] });
    expect(problems.list()).toEqual([]);
  });

  it('Lightning: the bar begins anew with each epoch', async () => {
    const bar = (epoch: number, n: number, elapsed: string) =>
      `Epoch ${epoch}:  10%|█  | ${n}/100 [${elapsed}<01:50,  0.81it/s, v_num=0, train_loss=2.3]`;
    const { stepTimes } = await read([
      [bar(0, 0, '00:00'), bar(0, 50, '00:20'), bar(0, 100, '00:40')].join('\r'),
      [bar(1, 0, '00:00'), bar(1, 50, '00:30')].join('\r'),
    ]);
    expect(stepTimes).toMatchObject({ source: 'lightning', step: [50, 100, 150] });
    expect(stepTimes.hostNs).toEqual([400 * MS, 400 * MS, 600 * MS]);
  });

  it('a restart is told, and the time it stood still is nobody’s step', async () => {
    const line = (minute: string, step: number) =>
      `2025-10-30 14:${minute}:00,000 - step: ${step}  loss: 8.1  tps: 1`;
    const { stepTimes, problems } = await read([
      line('00', 1),
      line('01', 2),
      line('02', 3),
      line('03', 4),
      line('30', 1),
      line('31', 2),
      line('33', 4),
      line('34', 5),
      line('35', 6),
    ]);
    expect(stepTimes.step).toEqual([1, 2, 3, 4, 5, 6]);
    expect(stepTimes.hostNs).toEqual([NaN, 6e10, 6e10, 6e10, NaN, 6e10]);
    expect(problems.count('log-steps-repeat')).toBeGreaterThan(0);
  });

  it('says when a log has no step times at all', async () => {
    const { stepTimes, problems } = await read(['s:0 tel:11.0092', 's:1 trl:10.9598 lr:0.000002 norm:15.37']);
    expect(stepTimes).toMatchObject({ source: 'llm.c', step: [] });
    expect(problems.count('log-without-step-times')).toBe(1);
  });
});
