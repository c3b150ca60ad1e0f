import { type RunFacts } from '../attribution/run-facts';
import { type Advice } from './advice-schema';
import { readConfiguration } from './configuration';
import { nextRecordings } from './next-recording';
import { estimateRun } from './run-estimate';
import { readSymptoms } from './symptoms';
import { gatherEvidence } from './trace-evidence';
import { utilisationPanel, type UtilisationInputs } from './utilisation-panel';

export interface AdviceInputs extends UtilisationInputs {
  /** Ids of the artifact formats that were read. */
  formats: ReadonlySet<string>;
}

/**
 * What a person wants to know beside the findings: utilisation from every side, the symptom table, the options in use and
 * their price, what to record next, and the floors for this model and GPU.
 */
export function adviseRun(facts: RunFacts, { formats, ...inputs }: AdviceInputs): Advice {
  const evidence = gatherEvidence(facts);
  const options = readConfiguration(evidence);
  const { estimate, reason } = estimateRun(facts, options);
  const mfu = inputs.mfu ?? estimate?.figures.find((figure) => figure.id === 'mfu') ?? null;
  return {
    utilisation: utilisationPanel(facts, { ...inputs, mfu }),
    symptoms: readSymptoms(facts, inputs),
    options,
    recordings: nextRecordings({ evidence, formats }),
    estimate,
    estimateReason: reason,
  };
}
