import { type OptionId, type OptionReport } from './option-schema';

/** What rules ask about the options of a run, so that no fix advises what is there already. */
export interface OptionsInUse {
  isOn(option: OptionId): boolean;
  /** Which form of it is in use; null when it has none or is not visible. */
  form(option: OptionId): string | null;
}

/** Empty when the options could not be read: then nothing counts as on, and fixes may name what is there. */
export function optionsInUse(options: readonly OptionReport[]): OptionsInUse {
  const byId = new Map(options.map((option) => [option.option, option]));
  return {
    isOn: (option) => byId.get(option)?.state === 'on',
    form: (option) => byId.get(option)?.form ?? null,
  };
}
