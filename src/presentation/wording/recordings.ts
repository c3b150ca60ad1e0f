import { type RecordingCommand, type RecordingItem, type RecordingStep, type Values } from '../../analysis';

/** A way to record something: what it is, and the lines to run or to add. */
export interface RecordingWording {
  title: string;
  lines(values: Values): string[];
}

export const RECORDING_STEP_TITLES: Readonly<Record<RecordingStep['id'], string>> = {
  baseline: 'Record the baseline',
  'step-trace': 'Record one step trace',
  'data-and-cpu': 'Measure data and CPU',
  communication: 'Measure communication',
  kernels: 'Measure kernels',
  memory: 'Measure memory and model',
};

export const RECORDING_ITEM_LABELS: Readonly<Record<RecordingItem, string>> = {
  gpu: 'GPU model',
  driver: 'driver version',
  cuda: 'CUDA version',
  framework: 'framework version',
  parameters: 'number of parameters',
  'batch-size': 'batch size',
  'peak-memory': 'peak memory',
  commit: 'commit of the code',
  'step-times': 'step times without the profiler',
  'power-and-clocks': 'power and clocks over time',
  trace: 'a trace',
  'whole-file': 'a trace that is whole',
  'host-operators': 'operators of the host',
  'device-activity': 'activity of the device',
  'step-markers': 'step markers',
  'counted-steps': 'enough steps',
  shapes: 'shapes of the operators',
  'loader-in-trace': 'the data loader in the trace',
  'loader-arguments': 'arguments of the data loader',
  'python-functions': 'Python functions on the host',
  'all-ranks': 'traces of all ranks',
  'collective-sizes': 'sizes of the collectives',
  'nccl-log': 'NCCL log',
  'kernel-counters': 'counters of the longest kernels',
  'memory-summary': 'memory summary',
  'memory-timeline': 'memory over time',
  'model-shape': 'layers and width of the model',
};

const text = (value: Values[string] | undefined, unknown: string): string =>
  value === null || value === undefined ? unknown : String(value);

/** Words by command; a missing one does not compile. The lines hold nothing from a trace but plain words. */
export const RECORDING_WORDING: Readonly<Record<RecordingCommand, RecordingWording>> = {
  'write-metadata': {
    title: 'Write what the job knows about itself to meta.rank<N>.json, beside the trace',
    lines: () => [
      'import json, os, subprocess, torch',
      'meta = {"rank": rank, "world_size": world_size, "gpu": torch.cuda.get_device_name(),',
      '        "torch": torch.__version__, "cuda": torch.version.cuda,',
      '        "params": sum(p.numel() for p in model.parameters()),',
      '        "trainable_params": sum(p.numel() for p in model.parameters() if p.requires_grad),',
      '        "batch_size": batch_size, "seq_len": seq_len, "tokens_per_step": tokens_of_one_rank,',
      '        "dtype": "bfloat16", "optimizer": "AdamW(fused)", "grad_accum": 1, "compile": None,',
      '        "parallel": "ddp", "activation_checkpointing": None,',
      '        "loader": {"num_workers": loader.num_workers, "pin_memory": loader.pin_memory,',
      '                   "prefetch_factor": loader.prefetch_factor},',
      '        "peak_mem": torch.cuda.max_memory_allocated(),',
      '        "commit": subprocess.check_output(["git", "rev-parse", "HEAD"], text=True).strip(),',
      '        "env": {k: v for k, v in os.environ.items() if k.startswith(("NCCL_", "CUDA_", "PYTORCH_", "OMP_"))}}',
      'json.dump(meta, open(f"meta.rank{rank}.json", "w"))',
    ],
  },
  'record-step-times': {
    title: 'Time 30 steps with the profiler off, into step_times.rank<N>.jsonl',
    lines: () => [
      'start = time.perf_counter()',
      'train_step(batch)  # loader, forward, backward, optimizer',
      'log.write(json.dumps({"step": step, "host_s": time.perf_counter() - start}) + "\\n")',
    ],
  },
  'monitor-gpu': {
    title: 'Log power, clocks and utilisation beside the run',
    lines: () => ['nvidia-smi dmon -s pucvmet -o DT -d 1 -f dmon.log'],
  },
  'record-trace': {
    title: 'Record a few steps with PyTorch Profiler',
    lines: (v) => [
      'from torch.profiler import profile, ProfilerActivity, schedule',
      'with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],',
      `             schedule=schedule(wait=3, warmup=2, active=${text(v.activeSteps, '5')}, repeat=1),`,
      '             record_shapes=True, profile_memory=True, with_flops=True,',
      '             on_trace_ready=lambda p: p.export_chrome_trace(f"rank{rank}.pt.trace.json.gz")) as prof:',
      '    for batch in loader:',
      '        train_step(batch)',
      '        prof.step()',
    ],
  },
  'time-loader': {
    title: 'Time the loader alone, then the step with a loader that repeats one batch',
    lines: (v) => [
      `batches = iter(loader)  # num_workers is ${text(v.workers, 'not known')}`,
      'for _ in range(20): start = time.perf_counter(); batch = next(batches); print(time.perf_counter() - start)',
      'for _ in range(20): start = time.perf_counter(); train_step(batch); torch.cuda.synchronize(); print(time.perf_counter() - start)',
    ],
  },
  'sample-python': {
    title: 'See which Python functions run: sample them, or record the trace with_stack=True',
    lines: () => [
      'py-spy dump --pid PID',
      'py-spy record --pid PID --rate 200 --duration 30 --format speedscope --output py-spy.json',
    ],
  },
  'record-all-ranks': {
    title: 'Record and upload the trace of every rank, not of rank 0 only',
    lines: (v) => [
      `# ${text(v.have, '0')} of ${text(v.worldSize, 'an unknown number of')} ranks are here; run the profiler without "if rank == 0"`,
    ],
  },
  'log-nccl': {
    title: 'Let NCCL say which links it uses',
    lines: () => [
      'export NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING,NET NCCL_DEBUG_FILE=nccl.%h.%p.log',
      'nvidia-smi topo -m > topo.txt',
    ],
  },
  'count-kernels': {
    title: 'Count flop and bytes of the longest kernel',
    lines: (v) => [
      `ncu --set full ${v.kernel ? `--kernel-name regex:${text(v.kernel, '')} ` : ''}--launch-skip 50 --launch-count 5 --csv --page raw --log-file ncu.csv python train.py`,
    ],
  },
  'print-memory-summary': {
    title: 'Write the allocator’s summary after some steps',
    lines: () => ['open(f"memory_summary.rank{rank}.txt", "w").write(torch.cuda.memory_summary())'],
  },
  'snapshot-memory': {
    title: 'Record allocations over time',
    lines: () => [
      'torch.cuda.memory._record_memory_history(max_entries=100_000)',
      'train_step(batch); train_step(batch)',
      'torch.cuda.memory._dump_snapshot(f"snapshot.rank{rank}.pickle")',
    ],
  },
  'write-model-shape': {
    title: 'Add the shape of the model to meta.rank<N>.json',
    lines: () => [
      'meta |= {"layers": layers, "hidden_size": hidden_size, "heads": heads, "vocab_size": vocabulary}',
    ],
  },
};
