import { z } from 'zod';
import { TRANSPORT_KINDS } from '../formats/nccl-log/nccl-log-record';
import { FASTER_PATHS, REASON_CODES } from '../formats/nccl-log/slow-transport';

const count = z.number().int().nonnegative();

/** What the logs of NCCL or RCCL, and the topology matrix, say of the links. Lists are bounded. */
export const networkSchema = z.object({
  library: z.enum(['NCCL', 'RCCL']).nullable(),
  version: z.string().nullable(),
  logCount: count,
  /** Ranks of the largest communicator. */
  rankCount: count.nullable(),
  /** Networks that were chosen: `IB`, `Socket`, or the name of a plugin. */
  networks: z.array(z.string()),
  adapters: z.array(z.object({ device: z.string(), link: z.string() })),
  /** Connections of all ranks by how they carry bytes. */
  transports: z.array(z.object({ kind: z.enum(TRANSPORT_KINDS), connections: count })),
  /** Variables that the library says it took from the environment. */
  environment: z.record(z.string(), z.string()),
  /** Best NVLink of a GPU, one direction; null when the logs show none. */
  nvlinkBandwidthBytesPerSec: z.number().nullable(),
  /** Null when nothing is slower than it could be. */
  slowTransport: z
    .object({
      used: z.enum(TRANSPORT_KINDS),
      slowConnections: count,
      allConnections: count,
      withinHost: z.boolean().nullable(),
      unusedNvlinkBytesPerSec: z.number().nullable(),
      reasons: z.array(
        z.object({
          path: z.enum(FASTER_PATHS),
          code: z.enum(REASON_CODES),
          evidence: z.string(),
          inferred: z.boolean(),
        }),
      ),
    })
    .nullable(),
  warnings: z.array(z.object({ text: z.string(), count })),
  /** Links between GPUs as `nvidia-smi topo -m` names them, and how many pairs have each; null without a matrix. */
  gpuLinks: z.array(z.object({ link: z.string(), pairs: count })).nullable(),
});

export type NetworkReport = z.infer<typeof networkSchema>;
