/** Limits of document work. Work past its deadline is ended and fails with one sentence. */
export interface WorkLimits {
  /** Milliseconds since 1970. */
  deadline: number;
}
