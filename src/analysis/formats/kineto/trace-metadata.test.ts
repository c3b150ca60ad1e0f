import { hostEvent, readTrace, traceOf } from '../../../../test/builders/kineto-trace';
import { emptyMetadata } from './trace-metadata';

const EVENT = hostEvent('a', 1, 1);
const metadataOf = async (head: string) => (await readTrace(traceOf([EVENT], head))).timeline.metadata;

describe('metadata', () => {
  it('is read before and after the events', async () => {
    const tail = `"distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8, "pg_config": [{"ranks": [0, 1]}], "nccl_version": "2.28.9"},
      "record_shapes": 1, "with_stack": true, "with_flops": "1", "cuda_driver_version": 13000, "baseTimeNanoseconds": 1790857026000000001`;
    const head = `"deviceProperties": [{"id": 0, "name": "NVIDIA H200", "totalGlobalMem": 150109880320, "computeMajor": 9, "computeMinor": 0,
      "maxThreadsPerMultiprocessor": 2048, "warpSize": 32, "numSms": 132, "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 233472}]`;
    const { timeline } = await readTrace(`{${head}, "traceEvents": [${EVENT}], ${tail}}`);
    expect(timeline.metadata).toEqual({
      baseTimeNs: 1790857026000000001n,
      devices: [
        {
          id: 0,
          name: 'NVIDIA H200',
          totalMemoryBytes: 150109880320,
          smCount: 132,
          computeMajor: 9,
          computeMinor: 0,
          maxThreadsPerSm: 2048,
          regsPerSm: 65536,
          sharedMemPerSmBytes: 233472,
          warpSize: 32,
        },
      ],
      rank: 3,
      worldSize: 8,
      backend: 'nccl',
      ncclVersion: '2.28.9',
      cudaRuntimeVersion: null,
      cudaDriverVersion: '13000',
      recordShapes: true,
      withStack: true,
      withFlops: true,
    });
  });

  it.each([
    '"deviceProperties": []',
    '"deviceProperties": {}',
    '"distributedInfo": null',
    '"distributedInfo": [1]',
    '"record_shapes": 0',
    '"x": 1',
  ])('stays empty with %s', async (head) => {
    expect(await metadataOf(head)).toEqual(emptyMetadata());
  });

  it.each(['"rank": -1', '"rank": 1.5', '"rank": "x"', '"rank": ""', '"rank": 1e99', '"rank": {}'])(
    'takes no rank from %s',
    async (rank) => {
      expect((await metadataOf(`"distributedInfo": {${rank}}`)).rank).toBeNull();
    },
  );

  it('takes a rank written as text', async () => {
    expect((await metadataOf('"distributedInfo": {"rank": "5"}')).rank).toBe(5);
  });

  it('counts values that cannot be parsed and goes on', async () => {
    const { timeline, problems } = await readTrace(
      traceOf([EVENT], '"distributedInfo": {"rank": nan}, "with_stack": 1, "baseTimeNanoseconds": "soon"'),
    );
    expect(timeline.metadata).toEqual({ ...emptyMetadata(), withStack: true });
    expect(problems.count('malformed-event')).toBe(1);
  });

  it('does not touch prototypes', async () => {
    const metadata = await metadataOf(
      '"__proto__": {"polluted": 1}, "constructor": 1, "distributedInfo": {"__proto__": {"rank": 7}, "constructor": {"prototype": {"rank": 7}}}',
    );
    expect(metadata.rank).toBeNull();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('skips values that are too large, however they arrive', async () => {
    const huge = `"job": {"text": "${'x}]"[{, '.replace('"', '\\"').repeat(500)}", "list": [${'[1],'.repeat(500)}2]}, "scalar": ${'1'.repeat(3000)}, "string": "${'y'.repeat(3000)}"`;
    for (const chunkSizes of [[1], [100], [100_000]]) {
      const { timeline, problems } = await readTrace(traceOf([EVENT], `${huge}, "with_stack": 1`), {
        chunkSizes,
        limits: { maxEventBytes: 1000 },
      });
      expect(timeline.metadata.withStack).toBe(true);
      expect(timeline.host.count).toBe(1);
      expect(problems.count('oversized-event')).toBe(3);
    }
  });
});
