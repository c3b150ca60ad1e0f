import { HostEventKind } from '../../timeline/rank-timeline';
import { metadataField, switchesOn } from '../run-metadata-fields';
import { findHost } from '../trace-evidence';
import { answer, defineOption, evidenceOf, shareOfStep } from './define-option';

const GRAPH_LAUNCH = /^(cuda|hip)GraphLaunch|^cuGraphLaunch/;
/** Idle time between launches below this share of the step is within run-to-run noise (corpus: 1–5 % where the device is the limit). */
const NOTHING_TO_GAIN = 0.05;

/** Kernels captured once and launched together. */
export const cudaGraphs = defineOption({
  id: 'cuda-graphs',
  read(evidence) {
    const { facts, recorded } = evidence;
    const field = metadataField(facts, 'cuda_graphs', 'cuda_graph', 'use_cuda_graph');
    const launches = findHost(evidence, GRAPH_LAUNCH, [HostEventKind.runtime]);
    if (launches) {
      const perStep = launches.count / Math.max(1, facts.kernels.stepCount);
      return answer('on', 'graphs-on', {
        evidence: evidenceOf(field, launches),
        values: { graphLaunchesPerStep: Math.round(perStep) },
      });
    }
    if (!recorded.runtime)
      return field
        ? answer(switchesOn(field) ? 'on' : 'off', switchesOn(field) ? 'graphs-on' : 'graphs-off', {
            evidence: evidenceOf(field),
          })
        : answer('not-visible', 'no-runtime-calls');
    const gapNs = facts.step?.idle.launchGapNs ?? null;
    const share = shareOfStep(evidence, gapNs);
    const note =
      share === null ? 'graphs-off' : share < NOTHING_TO_GAIN ? 'graphs-gain-nothing' : 'graphs-would-help';
    return answer('off', note, { evidence: evidenceOf(field), actsOnNs: gapNs, values: { share } });
  },
});
