/** Options of the service on one machine. */
import type { Writable } from "node:stream";
import type { CodeBundle } from "../../functions/adapters/local/code-bundle/code-bundle.ts";
import type { LocalEngine } from "../../functions/adapters/local/engine.ts";
import type { FrontLimits } from "../../functions/adapters/local/front.ts";
import type { Blobs } from "../../functions/ports/blobs.ts";
import type { OcrEngine } from "../../functions/ports/ocr.ts";
import type { Records } from "../../functions/ports/records.ts";
import type { LocalConfig } from "./config.ts";

export interface ServiceOptions {
  config: LocalConfig;
  /** Receives the log lines. */
  log: Writable;
  /** The code of the document processes as one file each; without it, they run from the sources. */
  bundle?: CodeBundle;
  /** For tests only: another worker, processes that several services share, shorter times, ports that fail on purpose. */
  workerModule?: URL;
  documents?: LocalEngine;
  /** Document processes, besides the one for short tasks. */
  documentProcesses?: number;
  /** False: there is no process for short tasks, and the others take them too. */
  shortTaskProcess?: boolean;
  jobTimeoutSeconds?: number;
  memoryLimitBytes?: number;
  wrap?: (ports: { records: Records; blobs: Blobs }) => { records: Records; blobs: Blobs };
  ocr?: OcrEngine;
  frontLimits?: Partial<FrontLimits>;
}
