/** What is the same for every occurrence of a problem. */
export interface ProblemDefinition {
  /** HTTP status of the answer. */
  status: number;
  /** A few words, the same every time. */
  title: string;
  /** What the reader of the answer can do, unless the occurrence knows better. */
  action: string;
}
