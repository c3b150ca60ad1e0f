import { createReadStream, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { analyzeRun } from '../../src/analysis';
import { attributeRank } from '../../src/analysis/attribution/attribute-rank';
import { kinetoFormat } from '../../src/analysis/formats/kineto';
import { totalNs } from '../../src/analysis/timeline/intervals';
import { ProblemLog } from '../../src/analysis/timeline/problem';
import { openArtifactBytes } from '../../src/platform/decompression';
import { CORPUS, withCorpus } from './corpus-folder';
import { naiveBreakdown, readEvents } from './naive-breakdown';

const LIMITS = { maxEvents: 5_000_000, maxEventBytes: 1 << 22, maxStringBytes: 1 << 26 };
const DECOMPRESSION = { maxBytes: 2 ** 31, maxRatio: 500, minBytesBeforeRatio: 2 ** 26 };

/** Public traces of five origins: V100 and A100, AMD MI300X, one and many ranks, integer and fractional times. */
const TRACES = [
  'kineto/hta-diff-control/control.json.gz',
  'kineto/hta-ns-resolution/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz',
  'kineto/hta-negative-queue/rank0.json.gz',
  'kineto/tb-resnet-w0-a/worker0.1623143089861.pt.trace.json.gz',
  'kineto/tl-mi300-resnet-actckpt/resnet_act_checkpoint.json.gz',
];

const open = (file: string) => openArtifactBytes(createReadStream(file), DECOMPRESSION);

withCorpus(() => {
  test.each(TRACES)('%s: every step agrees with a naive implementation to the nanosecond', async (name) => {
    const file = join(CORPUS, 'public', name);
    const problems = new ProblemLog();
    const content = await kinetoFormat.read(open(file), { path: basename(file), problems, limits: LIMITS });
    if (content.kind !== 'timelines') throw new Error('not a timeline');
    const [timeline] = content.timelines;
    const { steps } = attributeRank(0, timeline, problems);
    const events = readEvents(file);
    const zeroNs = timeline.originNs - timeline.metadata.baseTimeNs;
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      const fromNs = zeroNs + BigInt(step.startNs);
      expect({
        computeNs: BigInt(step.computeNs),
        exposedCommunicationNs: BigInt(step.exposedCommunicationNs),
        exposedMemcpyNs: BigInt(step.exposedMemcpyNs),
        idleNs: BigInt(step.idleNs),
      }).toEqual(naiveBreakdown(events, fromNs, fromNs + BigInt(step.wallNs)));
    }
  });

  /**
   * HolisticTraceAnalysis answers on the same files (reference-hta.tsv). Its definitions differ: it drops device events
   * without a launch in the file, and rounds starts up and ends down to whole µs, which loses up to 1 µs a kernel.
   */
  test.each(['healthy', 'ddp_slow_link', 'h2d_pageable'])(
    '%s: union compute agrees with a peer, its rounding aside',
    async (run) => {
      const rows = readFileSync(join(CORPUS, 'reference-hta.tsv'), 'utf8')
        .split('\n')
        .map((line) => line.split('\t'));
      const reference = rows.find(([trace, rank]) => trace === run && rank === 'rank0.pt.trace.json.gz');
      const problems = new ProblemLog();
      const file = join(CORPUS, 'h200', run, 'rank0.pt.trace.json.gz');
      const content = await kinetoFormat.read(open(file), { path: file, problems, limits: LIMITS });
      if (content.kind !== 'timelines' || !reference) throw new Error('no reference');
      const [timeline] = content.timelines;
      const { device } = attributeRank(0, timeline, problems);
      const { device: ops } = timeline;
      const launched = [...(device?.activity.opIndices ?? [])].filter((i) => ops.launchIndex[i] >= 0);
      const computeUs =
        totalNs(
          device?.activity.compute ?? { count: 0, startNs: new Float64Array(0), endNs: new Float64Array(0) },
        ) / 1000;
      const unlaunchedUs = [...(device?.activity.opIndices ?? [])]
        .filter((i) => ops.launchIndex[i] < 0 && ops.kind[i] === 0 && device?.activity.isCollective[i] === 0)
        .reduce((sum, i) => sum + (ops.endNs[i] - ops.startNs[i]) / 1000, 0);
      const differenceUs = computeUs - unlaunchedUs - Number(reference[5]);
      expect(differenceUs).toBeGreaterThan(-0.001 * computeUs);
      expect(differenceUs).toBeLessThan(launched.length + 0.001 * computeUs);
    },
  );

  test('eight ranks of one run, one report', async () => {
    const folder = join(CORPUS, 'public/kineto-multirank/param-dlrm-8rank');
    const names =
      readFileSync(join(CORPUS, 'public/MANIFEST.tsv'), 'utf8').match(
        /param-dlrm-8rank\/worker\S+?\.json/g,
      ) ?? [];
    const artifacts = names.map((name) => ({
      path: basename(name),
      open: () => open(join(folder, basename(name))),
    }));
    const { ranks, communication } = await analyzeRun(artifacts, { limits: LIMITS });
    expect(ranks.map((r) => r.rank)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(communication?.matchedBy).not.toBe('none');
  });
});
