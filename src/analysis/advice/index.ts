/** What the core advises beside its findings; see `adviseRun`. */
export {
  adviceSchema,
  type Advice,
  SYMPTOM_IDS,
  type SymptomReport,
  UTILISATION_IDS,
  type UtilisationPanel,
} from './advice-schema';
export {
  OPTION_IDS,
  OPTION_NOTES,
  type OptionId,
  type OptionNote,
  type OptionReport,
  optionSchema,
} from './option-schema';
export {
  RECORDING_COMMANDS,
  RECORDING_ITEMS,
  RECORDING_STEPS,
  type RecordingCommand,
  type RecordingItem,
  type RecordingStep,
  recordingStepSchema,
} from './recording-schema';
export { type Values } from './values';
