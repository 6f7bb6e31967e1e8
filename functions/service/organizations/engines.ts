import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { LanguageModel } from "../../ports/llm.ts";
import type { OcrEngine } from "../../ports/ocr.ts";
import type { OfficeProgram } from "../../ports/office-program.ts";
import type { Outbound } from "../../ports/outbound.ts";
import type { PassageIndexes } from "../../ports/passage-index.ts";
import type { ToolBox } from "../../ports/tools.ts";

/** State of an external engine, shown at start-up and in GET /health. */
export interface EngineState {
  name: string;
  on: boolean;
  /** Its description, or the setting that enables it. */
  detail: string;
}

/** The engines of a deployment. Null: not configured; features that need it fail with one sentence. */
export interface Engines {
  clock: Clock;
  /** Gives others the organization's turn while work only waits. Absent: steps take no turns. */
  whileWaiting?<T>(work: () => Promise<T>): Promise<T>;
  /** Runs document work: engine/tasks. */
  documents: Engine;
  /** Null: pages without a text layer stay without text. */
  ocr: OcrEngine | null;
  /** Null: the offline extractor does the work. */
  model: LanguageModel | null;
  /** Draws documents as their authors see them; absent: none is installed. */
  office?: OfficeProgram;
  /** Tools for models in place of the organization's own (knowledge bases); absent: those. */
  tools?: ToolBox;
  /** Searches knowledge bases. Absent in functions that do not. */
  passages?: PassageIndexes;
  /** Requests to addresses that callers name. */
  outbound: Outbound;
  states(): { ocr: EngineState; model: EngineState; payments: EngineState };
}
