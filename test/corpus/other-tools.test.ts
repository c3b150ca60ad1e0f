import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { analyzeRun } from '../../src/analysis';
import { TEST_LIMITS } from '../builders/kineto-trace';
import { CORPUS, withCorpus } from './corpus-folder';

const PUBLIC = join(CORPUS, 'public');

function analyze(path: string) {
  const bytes = readFileSync(path);
  const unpacked = path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  const open = async function* () {
    for (let at = 0; at < unpacked.length; at += 65_536) yield unpacked.subarray(at, at + 65_536);
  };
  return analyzeRun([{ path: basename(path), open }], { limits: TEST_LIMITS });
}

withCorpus(() => {
  test.each([
    [
      'other-trace/nsightful-power-iteration-chrome/power_iteration__baseline.json',
      /Nsight Systems report converted/,
    ],
    ['other-trace/tensorboard-profile-tf/trace.json', /Chrome trace of another program/],
    ['other-trace/tl-jax-xplane/tw003.xplane.pb', /JAX or TensorFlow/],
    ['other-trace/tl-rocprof-json/908_results.json.gz', /rocprofv3/],
    ['nsys-csv/pipit-nbody-nvtx/trace.csv', /Nsight Systems in CSV.*nsys export --type sqlite/],
    ['nccl-log/timez-topo/nccl_topo_dump.xml', /NCCL_DEBUG=INFO/],
  ])('%s is refused with what it is and what to record', async (path, words) => {
    const failure = analyze(join(PUBLIC, path));
    await expect(failure).rejects.toMatchObject({
      name: 'InputRefused',
      message: expect.stringMatching(words),
    });
    await expect(failure).rejects.toMatchObject({ message: expect.stringMatching(/torch\.profiler|upload/) });
  });

  const edges = join(PUBLIC, 'chrome-trace-edge/speedscope-samples');
  test.each(readdirSync(edges))('%s, a Chrome trace of a CPU profiler, is refused', async (name) => {
    await expect(analyze(join(edges, name))).rejects.toMatchObject({
      code: 'not-a-gpu-trace',
      message: expect.stringMatching(/CPU profiler.*record with torch\.profiler/),
    });
  });
});
