import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type RunMetadata } from '../../../src/cli/client/api-client';
import { type LocalFile } from '../../../src/cli/client/local-file';

export interface SampleRun {
  name: string;
  files: (LocalFile & { sizeBytes: number })[];
  metadata: RunMetadata;
}

/** The recordings in `samples/`, in the order in which a reader learns most: a fault, its fix, then the others. */
const SAMPLES: readonly { name: string; model: string; worldSize: number }[] = [
  { name: 'data_starved', model: 'gpt-136m', worldSize: 1 },
  { name: 'data_starved__fixed', model: 'gpt-136m', worldSize: 1 },
  { name: 'launch_bound', model: 'gpt-23m', worldSize: 1 },
  { name: 'ddp_slow_link', model: 'gpt-219m', worldSize: 2 },
  { name: 'low_intensity', model: 'gpt-84m-fp32', worldSize: 1 },
  { name: 'healthy', model: 'gpt-941m', worldSize: 1 },
];

/** The sample runs with their files and what a training job would say of them. */
export function listSampleRuns(samplesDir: string): SampleRun[] {
  return SAMPLES.map(({ name, model, worldSize }) => ({
    name,
    files: readdirSync(join(samplesDir, name))
      .sort()
      .map((file) => ({
        path: join(samplesDir, name, file),
        name: file,
        sizeBytes: statSync(join(samplesDir, name, file)).size,
      })),
    metadata: { model, cluster: 'h200-demo', workload: name, worldSize, tags: ['demo'] },
  }));
}
