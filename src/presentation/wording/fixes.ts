import { type Fix } from '../../analysis';
import { formatBytes, formatRatio } from '../quantity';

/** The words for one fix: what to do, and the lines to change. */
export interface FixWording {
  title: string;
  how(values: Fix['values']): string;
}

const text = (value: Fix['values'][string] | undefined, unknown = 'not known'): string =>
  value === null || value === undefined ? unknown : String(value);

const bytes = (value: Fix['values'][string] | undefined): string =>
  typeof value === 'number' ? formatBytes(value) : 'not known';

/** Words by fix id. One entry adds one; a test checks that every fix that a rule can give has its words. */
export const FIX_WORDING: Readonly<Record<string, FixWording>> = {
  'loader-workers': {
    title: 'Give the loader worker processes',
    how: (v) =>
      `DataLoader(…, num_workers=${text(v.workersToTry)}, persistent_workers=True) — now ${text(v.workersNow)}; start at the CPU cores per GPU.`,
  },
  'pin-memory': {
    title: 'Copy from pinned memory, asynchronously',
    how: (v) =>
      `DataLoader(…, pin_memory=True) and batch.to(device, non_blocking=True) — pin_memory is now ${text(v.pinMemoryNow)}.`,
  },
  'send-less': {
    title: 'Send fewer bytes to the device',
    how: () =>
      'The copies read pinned memory already, so the bus is the limit: send inputs as uint8 or bf16 and convert them on the device, keep weights and optimizer states there (no offload), and copy the next batch on a stream of its own while this one runs.',
  },
  'loader-prefetch': {
    title: 'Prefetch more batches',
    how: (v) => `DataLoader(…, prefetch_factor=${text(v.prefetchFactorToTry)}).`,
  },
  'tokenise-ahead': {
    title: 'Prepare the data once, ahead of training',
    how: () =>
      'Tokenise and decode offline (dataset.map(…, num_proc=…)), store ids in a memory-mapped file, and only slice in __getitem__.',
  },
  'storage-format': {
    title: 'Read from a faster format and disk',
    how: () =>
      'Memory-mapped ids, WebDataset shards, Arrow or Parquet instead of JSON Lines; on a local NVMe disk, with the shards of each rank local to it.',
  },
  'move-host-work-off-the-loop': {
    title: 'Move the host work off the training loop',
    how: (v) =>
      `About ${text(v.hostWorkMsPerStep)} ms a step run in the main thread between operators: move them into loader workers, or do them once before training.`,
  },
  'prefetch-next-batch': {
    title: 'Prepare the next batch while the device runs this one',
    how: () => 'Start the host work for step n+1 in a thread or process right after the launches of step n.',
  },
  'log-less-often': {
    title: 'Log every few steps, off the training loop',
    how: () =>
      'Print and log metrics every 50 to 100 steps, gather them as tensors until then, and write from another thread.',
  },
  'record-with-stack': {
    title: 'Find the function',
    how: () =>
      'Record once with torch.profiler.profile(…, with_stack=True), or run py-spy dump --pid PID during the gap: the finding will then name the function.',
  },
  'remove-empty-cache': {
    title: 'Remove torch.cuda.empty_cache() from the loop',
    how: () =>
      'The allocator gives the freed blocks back to the driver and must ask for them again in the next step.',
  },
  'expandable-segments': {
    title: 'Let the allocator grow its segments',
    how: () =>
      'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, or max_split_size_mb:512 where that is not supported.',
  },
  'smaller-memory-not-smaller-batch': {
    title: 'Save memory without shrinking the batch',
    how: () =>
      'In this order: bf16, 8-bit or sharded optimizer states, checkpointing of cheap layers only, gradient accumulation last.',
  },
  'switch-checkpointing-off': {
    title: 'Switch activation checkpointing off where it fits',
    how: (v) =>
      `model.gradient_checkpointing_disable(), or remove torch.utils.checkpoint: the run peaks at ${typeof v.peakMemoryShare === 'number' ? formatRatio(v.peakMemoryShare) : 'an unknown share'} of the device's memory.`,
  },
  'checkpoint-cheap-layers': {
    title: 'Recompute only what is cheap',
    how: () =>
      'Selective checkpointing: norms, activations and dropout again, matrix products and attention kept.',
  },
  'enable-fast-transport': {
    title: 'Take the switches off that disable the fast transport',
    how: (v) =>
      `The environment of the run sets ${text(v.setNow)}: unset them, so that NCCL may use NVLink, shared memory and InfiniBand.`,
  },
  'check-link': {
    title: 'Check which link NCCL uses',
    how: (v) =>
      `Run once with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH,NET and look for "via": P2P or NVLS inside a node, NET/IB between nodes, not NET/Socket. NCCL_SOCKET_IFNAME is ${text(v.socketInterface, 'not set')}.`,
  },
  'gradient-accumulation': {
    title: 'Communicate less often',
    how: () =>
      'Accumulate gradients over several micro-batches under model.no_sync(), and reduce once; or use a larger batch.',
  },
  'bucket-size': {
    title: 'Use fewer and larger collectives',
    how: (v) =>
      `DistributedDataParallel(…, bucket_cap_mb=${text(v.bucketCapMbToTry)}, gradient_as_bucket_view=True)${v.bucketCapMbNow === null || v.bucketCapMbNow === undefined ? '' : `; now ${text(v.bucketCapMbNow)}`}.`,
  },
  'static-graph': {
    title: 'Tell DDP that the graph does not change',
    how: () => 'DistributedDataParallel(…, static_graph=True).',
  },
  'fix-late-rank': {
    title: 'Look at what the late rank does',
    how: (v) =>
      `Rank ${text(v.rank)} is late on its own host: compare its data, its code path and its host load with those of the others.`,
  },
  'balance-input': {
    title: 'Give every rank the same amount of work',
    how: (v) =>
      `Check the sampler and the sequence lengths of rank ${text(v.rank)}; bucket by length, drop_last=True.`,
  },
  'check-node': {
    title: 'Check the node of the late rank',
    how: (v) =>
      `Clocks, throttling, other jobs, storage of the node that runs rank ${text(v.rank)} (nvidia-smi -q -d PERFORMANCE, htop).`,
  },
  'compile-reduce-overhead': {
    title: 'Compile the model',
    how: (v) =>
      `model = torch.compile(model, mode="reduce-overhead") — fuses small kernels and replays the rest as CUDA graphs; ${text(v.launchesPerStep)} launches a step now.`,
  },
  'cuda-graphs': {
    title: 'Capture the step as a CUDA graph',
    how: () =>
      'With static shapes: torch.cuda.graph(…) over forward, backward and optimizer, or torch.cuda.make_graphed_callables(model, sample_args).',
  },
  'fused-optimizer': {
    title: 'Use the fused optimizer',
    how: (v) => `torch.optim.AdamW(…, fused=True) — now ${text(v.formNow)}.`,
  },
  'larger-batch': {
    title: 'Use a larger batch',
    how: (v) =>
      `${typeof v.shortKernelShare === 'number' ? formatRatio(v.shortKernelShare) : 'Most'} of the kernels are shorter than 10 µs: more work per kernel costs no more launches.`,
  },
  'remove-host-syncs': {
    title: 'Remove host synchronisation from the loop',
    how: () =>
      'No .item(), .cpu(), print(tensor), if tensor, torch.cuda.synchronize() or memory queries in every step: collect on the device and read every N steps.',
  },
  'bf16-autocast': {
    title: 'Compute in bf16',
    how: () => 'with torch.autocast("cuda", dtype=torch.bfloat16): — no GradScaler is needed with bf16.',
  },
  'allow-tf32': {
    title: 'Allow TF32 where 32-bit inputs must stay',
    how: () => 'torch.set_float32_matmul_precision("high").',
  },
  'flash-attention': {
    title: 'Use flash attention',
    how: () =>
      'torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True) instead of softmax(q @ k.T + mask) @ v.',
  },
  'compile-fusion': {
    title: 'Fuse chains of elementwise operators',
    how: () =>
      'model = torch.compile(model): chains of elementwise, norm and dropout operators become one kernel with one read and one write.',
  },
  'larger-matrices': {
    title: 'Feed the matrix units',
    how: () => 'Larger batch, sequence packing, and dimensions that are multiples of 8 (bf16) or 16 (FP8).',
  },
  'raise-own-cap': {
    title: 'Raise or remove the limit that the job sets itself',
    how: (v) =>
      `torch.cuda.set_per_process_memory_fraction(…) allows ${bytes(v.allowedBytes)}${v.missingBytes === null || v.missingBytes === undefined ? '' : `, and ${bytes(v.missingBytes)} more were needed`}: raise it, or take the call out.`,
  },
  'record-memory-snapshot': {
    title: 'See who holds the memory',
    how: () =>
      'torch.cuda.memory._record_memory_history(max_entries=100000) before training, and torch.cuda.memory._dump_snapshot("snapshot.pickle") where it fails; upload the file.',
  },
  'share-graph-pools': {
    title: 'Let CUDA graphs share one memory pool',
    how: () =>
      'Give all graphs the pool of the first: torch.cuda.graph(g, pool=first.pool()), or capture fewer graphs.',
  },
  'end-other-processes': {
    title: 'Free the device of other processes',
    how: () => 'nvidia-smi lists them: end them, or give the job a device of its own.',
  },
  'spread-periodic-work': {
    title: 'Take the periodic work out of the step',
    how: (v) =>
      `${v.isRegular === true ? 'Every' : 'About every'} ${text(v.everySteps)} steps one takes much longer: look for checkpoints, evaluation, logging or garbage collection with this period.`,
  },
  'asynchronous-checkpoint': {
    title: 'Write checkpoints in the background',
    how: () => 'torch.distributed.checkpoint.async_save(…), or copy to host memory and write in a thread.',
  },
  'preallocate-in-collate': {
    title: 'Write collate_fn without Python loops over samples',
    how: () =>
      'Preallocate once (batch = tensor.new_empty(n, length)) and copy each sample in; no torch.cat or stack of lists.',
  },
  'augment-on-device': {
    title: 'Augment on the device',
    how: () =>
      'Decode, crop and jitter with NVIDIA DALI, or with torchvision.transforms.v2 on device tensors.',
  },
  'host-threads': {
    title: 'Give the host threads that fit its cores',
    how: (v) =>
      `export OMP_NUM_THREADS=<cores per rank> — now ${text(v.ompNumThreads, 'not set')}; too many threads of many workers fight for the same cores.`,
  },
  'graph-the-rest': {
    title: 'Take the rest of the step into the graph',
    how: (v) =>
      `CUDA graphs are in use, and ${text(v.launchesPerStep)} kernels a step run, of which some are launched outside them, mostly by the optimizer: capture it as well (capturable=True), or use fused=True.`,
  },
  'one-connection': {
    title: 'Try a single device connection',
    how: () =>
      'export CUDA_DEVICE_MAX_CONNECTIONS=1 can speed launches up, and can hurt the overlap of communication: measure both.',
  },
  'max-autotune': {
    title: 'Let the compiler tune its kernels',
    how: () => 'torch.compile(model, mode="max-autotune"): longer compilation, faster kernels.',
  },
  fp8: {
    title: 'Use FP8 matrix products',
    how: () =>
      'transformer_engine.pytorch.fp8_autocast(), or torchao.float8.convert_to_float8_training(model): half the bytes again, and twice the matrix rate.',
  },
  'grouped-query-attention': {
    title: 'Share keys and values between heads',
    how: () =>
      'Grouped-query or multi-query attention moves fewer key and value bytes, where the model may change.',
  },
  'effective-work': {
    title: 'Check how much of the work counts',
    how: () =>
      'Padding, dropped tokens and thinly filled experts (mixture of experts, sparse attention) keep the device busy for nothing: pack sequences, raise the tokens per expert.',
  },
  'less-sharding': {
    title: 'Shard less',
    how: (v) =>
      `Now ${text(v.formNow)}: SHARD_GRAD_OP (ZeRO-2) gathers the parameters once a step instead of twice, HYBRID_SHARD keeps the gathering inside a node; plain DDP where the model fits.`,
  },
  'larger-batch-per-rank': {
    title: 'Compute more per message',
    how: () =>
      'The bytes to communicate grow with the model and not with the batch: a larger batch per rank covers them.',
  },
  'nccl-tuning': {
    title: 'Tune NCCL last',
    how: () =>
      'NCCL_ALGO=Ring or Tree, NCCL_PROTO=Simple for large messages or LL for small ones; on TCP NCCL_NSOCKS_PERTHREAD=4 and NCCL_SOCKET_NTHREADS=2. Measure each with the run itself.',
  },
  'accumulate-last': {
    title: 'Accumulate gradients only as the last resort',
    how: () =>
      'Accumulation stands in for a batch that does not fit; it makes no kernel faster. And measure a smaller batch too: where attention falls back to a slow path, it can be the faster one.',
  },
  'raise-the-batch': {
    title: 'Or spend the free memory on a larger batch',
    how: (v) =>
      `The run peaks at ${typeof v.peakMemoryShare === 'number' ? formatRatio(v.peakMemoryShare) : 'an unknown share'} of the device's memory: a larger batch uses the rest and feeds the matrix units better.`,
  },
  'garbage-collection': {
    title: "Take Python's garbage collector out of the steps",
    how: () => 'gc.disable() in the loop, and gc.collect() every N steps at a moment of your choice.',
  },
  'local-storage': {
    title: 'Read from storage that nobody else slows down',
    how: () => 'Shards on a local NVMe disk, and enough prefetched batches to ride over a slow read.',
  },
};
