import { type ConfigurationChange, diffConfiguration, isSetup } from './configuration-change';

/** Follows from batch and sequence length. */
const FOLLOWS = /(^|\.)tokens_?per_?step$/i;

/** Fields that say the same in metadata files and in what clients tell the API. */
const SAME_THING: Readonly<Record<string, string>> = {
  batch_size: 'batch',
  grad_accum: 'batch',
  seq_len: 'sequenceLength',
  params: 'parameters',
  world_size: 'worldSize',
};

/** What people changed between two rungs, as far as the runs say it. */
export function changesBetween(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): ConfigurationChange[] {
  return diffConfiguration(before, after).filter(({ name }) => isSetup(name) && !FOLLOWS.test(name));
}

/** Things that were changed. Fields of one thing, such as the loader or the versions of the software, are changed together. */
export function countChanges(changes: readonly ConfigurationChange[]): number {
  return new Set(changes.map(thingOf)).size;
}

function thingOf({ name, kind }: ConfigurationChange): string {
  if (kind === 'software' || kind === 'hardware' || kind === 'loader') return kind;
  if (kind === 'environment') return name;
  const [first] = name.split('.');
  return SAME_THING[first] ?? first;
}
