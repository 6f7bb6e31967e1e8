/** One template of an Office format, filled by this project and by a bare library. */

export interface OfficeCase {
  name: string;
  /** Fields or items that are filled, as the line shows them. */
  size: string;
  ours(): Promise<unknown>;
  /** The library alone on the same values; none where no library fills such a template. */
  bare?(): Promise<unknown>;
  /** Most times the library's time. */
  mostRatio?: number;
  /** Most milliseconds of the processor. */
  mostMs?: number;
}
