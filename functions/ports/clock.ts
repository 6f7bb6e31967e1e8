/** The clock and the source of GUIDs; tests set both. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** A GUID, version 7: lower case, ordered by time. */
  guid(): string;
  sleep(milliseconds: number): Promise<void>;
}
