/** A figure and the document it is printed in. */
export interface KnownFigure {
  value: number;
  /** Title, revision and section of the document; `user` for a figure that the user measured. */
  source: string;
  /** How the figure follows from what is printed, when it is not printed itself. */
  derivation: string | null;
}

/** A figure that is not published, or a unit that the GPU does not have. Never zero, never a guess. */
export interface MissingFigure {
  value: null;
  reason: string;
}

export type SourcedFigure = KnownFigure | MissingFigure;

/** Ways to take a figure out of one document. */
export interface Citation {
  /** As printed. */
  says: (value: number) => KnownFigure;
  /** Printed with 2:4 structured sparsity only, which doubles the dense figure. */
  halves: (sparseValue: number) => KnownFigure;
  /** Printed for a whole of `parts` equal parts. */
  splits: (wholeValue: number, parts: number, what: string) => KnownFigure;
  /** Follows from what is printed, as `derivation` says. */
  derives: (value: number, derivation: string) => KnownFigure;
  source: string;
}

/** Names the document that the figures come from, once for all of them. */
export function citing(source: string): Citation {
  return {
    source,
    says: (value) => ({ value, source, derivation: null }),
    halves: (sparseValue) => ({
      value: sparseValue / 2,
      source,
      derivation: 'printed with sparsity only; halved',
    }),
    splits: (wholeValue, parts, what) => ({
      value: wholeValue / parts,
      source,
      derivation: `printed for ${what}; divided by ${parts}`,
    }),
    derives: (value, derivation) => ({ value, source, derivation }),
  };
}

/** A figure that no document gives, and why that is so. */
export function unpublished(reason: string): MissingFigure {
  return { value: null, reason };
}

/** A memory capacity that is printed in "GB" and means GiB. */
export function capacity(source: string, gib: number): KnownFigure {
  return { value: gib * 2 ** 30, source, derivation: `printed as ${gib} GB, meaning GiB` };
}
