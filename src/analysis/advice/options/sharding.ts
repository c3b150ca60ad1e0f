import { type RunFacts } from '../../attribution/run-facts';
import { meanPerStepNs } from '../../attribution/cross-rank';
import { intersection, totalNs, unionOf } from '../../timeline/intervals';
import { HostEventKind } from '../../timeline/rank-timeline';
import { metadataField, type MetadataField, metadataNumber } from '../run-metadata-fields';
import { findHost } from '../trace-evidence';
import { answer, defineOption, evidenceOf, shareOfStep } from './define-option';

const FSDP = /^FullyShardedDataParallel\.|^FSDP::|^torch\.fsdp/i;
const DEEPSPEED_3 = /DeepSpeedZeroOptimizer_Stage3|PartitionedParameterCoordinator|fetch_sub_module/;
const DEEPSPEED = /DeepSpeedZeroOptimizer|DeepSpeedEngine/;
const REPLICATED = /^DistributedDataParallel\.forward/;

/** FULL_SHARD gathers in the forward and again in the backward pass, SHARD_GRAD_OP once per reduce-scatter. */
const FULL_SHARD_GATHERS = 1.5;
/** Exposed communication of sharding from which it is worth asking whether it is needed. */
const NOTABLE_SHARE = 0.1;
/** States of mixed precision with AdamW, bytes per parameter (ZeRO, section 3.1). */
const STATE_BYTES = 16;
/** Unsharded states up to this share of the memory leave room for activations. */
const FITTING_SHARE = 0.5;

/** Parameters, gradients or optimizer states spread over the ranks: ZeRO and FSDP. */
export const sharding = defineOption({
  id: 'sharding',
  read(evidence) {
    const { facts } = evidence;
    const field = metadataField(
      facts,
      'sharding',
      'sharding_strategy',
      'zero_stage',
      'fsdp',
      'parallel',
      'strategy',
    );
    const written = field ? formOf(field) : null;
    const annotation = findHost(evidence, FSDP);
    const deepSpeed3 = findHost(evidence, DEEPSPEED_3);
    const found = annotation ?? deepSpeed3 ?? findHost(evidence, DEEPSPEED);
    const replicated = findHost(evidence, REPLICATED, [HostEventKind.annotation]);
    if (found || (written && written !== 'none')) {
      const traced = deepSpeed3 ? 'zero3' : annotation ? formFromCollectives(facts) : null;
      const costNs = exposedShardingNs(facts);
      const share = shareOfStep(evidence, costNs) ?? 0;
      const fits = statesFit(facts);
      return answer('on', share >= NOTABLE_SHARE && fits ? 'sharding-not-needed' : 'sharding-on', {
        form: (written === 'none' ? null : written) ?? traced,
        evidence: evidenceOf(field, found),
        costNs,
        values: { share, statesBytes: statesBytes(facts) },
      });
    }
    if (facts.worldSize === 1)
      return answer('off', 'sharding-one-rank', { evidence: evidenceOf(metadataField(facts, 'world_size')) });
    if (replicated || written === 'none')
      return answer('off', 'sharding-off', { evidence: evidenceOf(field, replicated) });
    return answer('not-visible', 'sharding-not-visible');
  },
});

function formOf({ key, value }: MetadataField): string | null {
  if (key === 'zero_stage') return typeof value === 'number' ? (value === 0 ? 'none' : `zero${value}`) : null;
  if (value === false || value === null) return 'none';
  if (typeof value !== 'string') return value === true ? 'zero3' : null;
  const text = value.toLowerCase();
  if (/hybrid/.test(text)) return 'hybrid';
  if (/shard_grad_op|zero[-_ ]?(stage)?[-_ ]?2/.test(text)) return 'zero2';
  if (/zero[-_ ]?(stage)?[-_ ]?1/.test(text)) return 'zero1';
  if (/full_shard|zero[-_ ]?(stage)?[-_ ]?3|fsdp/.test(text)) return 'zero3';
  return /^(none|ddp|no_shard|dp|single|data.?parallel)$/.test(text) ? 'none' : null;
}

function formFromCollectives({ deviceRanks }: RunFacts): string | null {
  let gathers = 0;
  let scatters = 0;
  for (const { timeline } of deviceRanks) {
    for (const { name } of timeline.collectives) {
      if (/all_?gather/i.test(name ?? '')) gathers++;
      if (/reduce_?scatter/i.test(name ?? '')) scatters++;
    }
  }
  if (scatters === 0) return null;
  return gathers >= FULL_SHARD_GATHERS * scatters ? 'zero3' : 'zero2';
}

/** Exposed time in all-gathers and reduce-scatters: their traced share of all exposed communication, of the true step. */
function exposedShardingNs({ deviceRanks, step }: RunFacts): number | null {
  if (!step || deviceRanks.length === 0) return null;
  let shardingNs = 0;
  let allNs = 0;
  for (const attribution of deviceRanks) {
    const { timeline, device } = attribution;
    if (!device) continue;
    const { device: ops, strings, collectives } = timeline;
    const ranges: [number, number][] = [];
    for (const i of device.activity.opIndices) {
      if (device.activity.isCollective[i] === 0) continue;
      const name = `${strings.get(ops.nameId[i])} ${collectives[ops.collectiveIndex[i]]?.name ?? ''}`;
      if (/all_?gather|reduce_?scatter/i.test(name)) ranges.push([ops.startNs[i], ops.endNs[i]]);
    }
    const exposed = device.activity.exposedCommunication;
    if (totalNs(exposed) === 0) continue;
    shardingNs += meanPerStepNs(attribution, intersection(exposed, unionOf(ranges)));
    allNs += meanPerStepNs(attribution, exposed);
  }
  return allNs > 0 ? (shardingNs / allNs) * (step.exposedTransferNs + step.exposedWaitNs) : 0;
}

function statesBytes(facts: RunFacts): number | null {
  const parameters = metadataNumber(facts, 'params', 'parameters', 'num_parameters');
  return parameters === null ? null : STATE_BYTES * parameters;
}

function statesFit(facts: RunFacts): boolean {
  const bytes = statesBytes(facts);
  const capacity = facts.deviceRanks.flatMap((r) => r.timeline.metadata.devices)[0]?.totalMemoryBytes ?? null;
  return bytes !== null && capacity !== null && bytes <= FITTING_SHARE * capacity;
}
