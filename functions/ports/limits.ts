/** Limits of document work. Work past its deadline is ended and fails with one sentence. */
export interface WorkLimits {
  /** Milliseconds since 1970. */
  deadline: number;
  /**
   * Most milliseconds of the work itself, counted from its start. Work that cannot start so long before the deadline is
   * refused as ServiceUnavailable, so that waiting for others never counts as the document's fault. Absent: the work may
   * take until the deadline.
   */
  workMs?: number;
  /** Opaque fairness key: groups take turns, whatever each of them has waiting. */
  group?: string;
  /** Pages that the work reads, where the caller knows them: short work may overtake long work. */
  pages?: number;
}
