import { type AnalysisTask } from '../src/modules/ingestion';

/**
 * What the API was told of a run, under the keys of a metadata file (`meta.rank<N>.json`), so that the analysis reads it
 * the same way. Undefined when it was told nothing that the analysis knows.
 */
export function declaredMetadata({
  commit,
  worldSize,
  setup,
}: AnalysisTask['declared']): Record<string, unknown> | undefined {
  const { hardware, framework, parallelism, batch, loader } = setup;
  const told = present({
    commit,
    world_size: worldSize,
    gpu: hardware?.gpu,
    gpus_per_node: hardware?.gpusPerNode,
    nodes: hardware?.nodes,
    interconnect: hardware?.interconnect,
    framework: framework && `${framework.name} ${framework.version}`,
    cuda: framework?.cuda,
    driver: framework?.driver,
    strategy: parallelism?.strategy,
    data_parallel: parallelism?.data,
    tensor_parallel: parallelism?.tensor,
    pipeline_parallel: parallelism?.pipeline,
    expert_parallel: parallelism?.expert,
    context_parallel: parallelism?.context,
    dtype: setup.dtype,
    params: setup.parameters,
    batch_size: batch?.micro,
    global_batch_size: batch?.global,
    grad_accum: batch?.gradientAccumulation,
    seq_len: setup.sequenceLength,
    tokens_per_step: setup.tokensPerStep,
    samples_per_step: setup.samplesPerStep,
    loader:
      loader &&
      present({
        num_workers: loader.numWorkers,
        pin_memory: loader.pinMemory,
        prefetch_factor: loader.prefetchFactor,
        persistent_workers: loader.persistentWorkers,
      }),
    env: setup.environment,
  });
  return Object.keys(told).length > 0 ? told : undefined;
}

/** A key that is there with nothing in it would say "none" to the analysis. */
function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? null) !== null));
}
