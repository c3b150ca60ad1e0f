import { z } from 'zod';
import { type GpuSpec } from '../gpu-specs/gpu-spec';
import {
  type Checkpointing,
  CHECKPOINTINGS,
  type EstimateRequest,
  SHARDINGS,
  type Sharding,
} from './estimate-request';
import { memoryCapacity, memoryDemand, RESERVED_SHARE } from './memory';

/** One way to lay the same run out, and whether it fits the GPU. */
export const layoutSchema = z.object({
  sharding: z.enum(SHARDINGS),
  checkpointing: z.enum(CHECKPOINTINGS),
  modelStateBytes: z.number().nullable(),
  /** Null when the activations are not known. */
  totalBytes: z.number().nullable(),
  /** Null when what is known of it fits and the rest is not known. */
  fits: z.boolean().nullable(),
});
export type Layout = z.infer<typeof layoutSchema>;

/** Every layout of the run on its GPUs, cheapest in time first; empty when the GPU's memory is not known. */
export function layouts(request: EstimateRequest, gpu: GpuSpec | null): Layout[] {
  const capacity = memoryCapacity(request, gpu);
  if (!capacity) return [];
  return shardingsOf(request).flatMap((sharding) =>
    checkpointingsOf(request).map((checkpointing) => {
      const { modelStateBytes, totalBytes } = memoryDemand({ ...request, sharding, checkpointing });
      const knownBytes = totalBytes ?? modelStateBytes;
      const overflows = knownBytes !== null && knownBytes > (1 - RESERVED_SHARE) * capacity.bytes;
      return {
        sharding,
        checkpointing,
        modelStateBytes,
        totalBytes,
        fits: overflows ? false : totalBytes === null ? null : true,
      };
    }),
  );
}

/** Hybrid only where there is more than one whole node. */
function shardingsOf({ worldSize, gpusPerNode }: EstimateRequest): Sharding[] {
  if (worldSize === 1) return ['none'];
  const hybrid = gpusPerNode !== undefined && worldSize > gpusPerNode && worldSize % gpusPerNode === 0;
  return SHARDINGS.filter((sharding) => sharding !== 'hybrid' || hybrid);
}

/** With flash attention there are no scores to compute again, so selective checkpointing changes nothing. */
function checkpointingsOf({ flashAttention }: EstimateRequest): Checkpointing[] {
  return CHECKPOINTINGS.filter((checkpointing) => checkpointing !== 'selective' || !flashAttention);
}
