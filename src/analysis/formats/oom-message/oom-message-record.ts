/** Sizes as the message has them, in bytes; null where its wording does not say. */
export interface OomMessage {
  backend: 'CUDA' | 'HIP' | 'XPU' | 'MPS' | 'NPU' | 'JAX';
  /** From a prefix of the launcher, or from the file name. */
  rank: number | null;
  device: number | null;
  requestedBytes: number | null;
  /** Of the device. */
  capacityBytes: number | null;
  /** Of the device, at that moment. */
  freeBytes: number | null;
  /** Cap that the job set for itself (`set_per_process_memory_fraction`). */
  allowedBytes: number | null;
  /** All that this process holds on the device, with what is not PyTorch's. */
  processBytes: number | null;
  /** In tensors. */
  allocatedBytes: number | null;
  /** Held by the caching allocator: allocated and unallocated. */
  reservedBytes: number | null;
  /** Held and in no tensor: what fragmentation costs. */
  unallocatedBytes: number | null;
  /** Part of `allocatedBytes` that lies in pools of CUDA graphs. */
  privatePoolBytes: number | null;
  otherProcesses: { pid: number; usedBytes: number | null }[];
  /** The message, cut to a readable length. */
  text: string;
  /** How often the file has it. */
  count: number;
}

/** Every distinct message of a file, in its order. */
export interface OomReport {
  messages: OomMessage[];
}
