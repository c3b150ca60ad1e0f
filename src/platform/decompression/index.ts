export { InputError, type InputErrorCode } from './input-error';
export { type DecompressionLimits } from './limit-bytes';
export { openArtifactBytes } from './open-artifact-bytes';
export { unpackHead } from './unpack-head';
