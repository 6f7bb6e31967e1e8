/** The clock and the source of GUIDs; tests set both. */

export interface Clock {
  /**
   * Milliseconds since 1970, whole. For deadlines, leases and durations: on one machine a jump of the machine's clock
   * changes it at the next start only.
   */
  now(): number;
  /** Milliseconds since 1970 by the machine's clock, which may jump: for times that others compare with theirs. */
  wallTime(): number;
  /** A GUID, version 7: lower case, ordered by time. */
  guid(): string;
  sleep(milliseconds: number): Promise<void>;
}
