import { answer, defineOption } from './define-option';

const VARIABLE = 'CUDA_DEVICE_MAX_CONNECTIONS';

/** Hardware queues between host and device: one keeps launches in order, several let streams overtake each other. */
export const deviceMaxConnections = defineOption({
  id: 'device-max-connections',
  read({ facts }) {
    const source = facts.metadata.find((m) => Object.hasOwn(m.environment, VARIABLE));
    const value = source?.environment[VARIABLE];
    // Jobs write a selection of their environment, so what is not named may still be set.
    if (!source || value === undefined) return answer('not-visible', 'connections-not-visible');
    const from = source.origin === 'uploaded' ? ('metadata' as const) : ('declared' as const);
    const evidence = [{ source: from, what: `${VARIABLE}=${value.slice(0, 40)}`, count: null }];
    const overlaps = (facts.step?.exposedTransferNs ?? 0) > 0;
    return value === '1'
      ? answer('on', overlaps ? 'connections-one-with-collectives' : 'connections-one', {
          form: '1',
          evidence,
        })
      : answer('off', 'connections-several', { form: value.slice(0, 40), evidence });
  },
});
