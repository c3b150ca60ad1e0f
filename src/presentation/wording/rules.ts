/** What each rule looks for, by rule id; a test checks that every rule has its words. */
export const RULE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'input-pipeline-starvation':
    'The device is empty while the host is in the data loader, or waits for copies of its input that nothing covers.',
  'host-cpu-bound': 'The device is empty while the training loop runs code between framework operators.',
  'allocator-churn': 'The device is empty while memory is taken from or given back to the driver.',
  recompute:
    'Forward operators are repeated inside the backward pass though memory would allow to keep them.',
  'exposed-communication':
    'Collectives run with no compute beside them, and the link is what takes the time.',
  straggler: 'The other ranks wait inside collectives for one that arrives late.',
  'launch-overhead': 'The device is empty because kernels are launched too late, or after a synchronisation.',
  'low-arithmetic-intensity':
    'The device is busy, but with memory-bound kernels or on units slower than its matrix units.',
  'out-of-memory': 'An allocation of device memory failed, as the message of the job or its allocator tells.',
  'step-jitter': 'Single steps take much longer than the median, so that the mean is well above it.',
};
