/** What document work may take. Past either, the work is ended and fails with one sentence. */
export interface WorkLimits {
  /** Milliseconds since 1970. */
  deadline: number;
}
