/** Words that say who made a GPU or for whom, not which one it is; tools write them or leave them out. */
const IGNORED_WORDS = new Set(['nvidia', 'amd', 'corporation', 'tesla', 'instinct', 'geforce']);

/** What is left of names that stand for any GPU of a vendor: "", "AMD Radeon Graphics", "NVIDIA Graphics Device". */
const GENERIC_NAMES = new Set(['', 'radeon graphics', 'graphics device']);

/** Longest name that is looked at; real ones are shorter. */
const MAX_NAME_CHARS = 128;

/**
 * A device name without what varies between tools: case, spaces, dashes, slashes, "(TM)", vendor and brand words.
 * `NVIDIA A100-SXM4-80GB` and `a100 sxm4 80gb` become the same.
 */
export function normalizeGpuName(name: string): string {
  return name
    .slice(0, MAX_NAME_CHARS)
    .toLowerCase()
    .replace(/\((tm|r)\)/g, ' ')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !IGNORED_WORDS.has(word))
    .join(' ');
}

/** True when a normalised name tells no model: none, a brand only, or an LLVM target (`gfx942:sramecc+:xnack-`). */
export function isGenericName(normalizedName: string): boolean {
  return GENERIC_NAMES.has(normalizedName) || /^gfx[0-9a-f]+\b/.test(normalizedName);
}
