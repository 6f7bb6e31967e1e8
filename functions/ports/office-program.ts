/** An Office program beside the service, which draws documents as their authors see them. */
import type { WorkLimits } from "./limits.ts";

export interface OfficeProgram {
  /**
   * Converts a Word, Excel or PowerPoint document to PDF: macros do not run, links are not followed.
   * @throws JobFailure for a document that the program cannot convert within its limits; ServiceUnavailable while the
   * service stops, and when no turn is free in time
   */
  toPdf(bytes: Uint8Array, mimeType: string, limits: WorkLimits): Promise<Uint8Array>;
  /** Ends running conversions. */
  close(): void;
}
