import { isPrintableLine } from '../../platform/http';

/** Longest name of an artifact, characters. */
export const MAX_ARTIFACT_NAME_CHARS = 300;

// Unassigned code points, which file systems may refuse, and the other separator of paths.
const FORBIDDEN = /[\p{Cn}\\]/u;

/**
 * Why a name cannot be that of an artifact, or undefined. A name is a relative path with `/`, such as
 * `rank0/trace.json.gz`: it is shown, and clients may save the file under it, so it must not lead out of a folder.
 */
export function artifactNameProblem(name: string): string | undefined {
  if (name.length === 0) return 'must not be empty';
  if (name.length > MAX_ARTIFACT_NAME_CHARS) return `must have at most ${MAX_ARTIFACT_NAME_CHARS} characters`;
  if (!isPrintableLine(name) || FORBIDDEN.test(name))
    return 'must not contain control characters or backslashes';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'must be a relative path';
  if (name.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    return 'must not contain "..", "." or empty path segments';
  }
  return undefined;
}
