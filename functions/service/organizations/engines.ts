import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { LanguageModel } from "../../ports/llm.ts";
import type { OcrEngine } from "../../ports/ocr.ts";
import type { Outbound } from "../../ports/outbound.ts";
import type { ToolBox } from "../../ports/tools.ts";

/** A named outside engine and whether it can be used now; shown at start-up and in GET /health. */
export interface EngineState {
  name: string;
  on: boolean;
  /** What it is, or what to set to turn it on. */
  detail: string;
}

/** What a deployment brings from outside. Null: not configured, and whoever needs it says so in one sentence. */
export interface Engines {
  clock: Clock;
  /** Document work: engine/tasks. */
  documents: Engine;
  /** Null: none, and pages without a text layer stay without text. */
  ocr: OcrEngine | null;
  /** Null: none, and the offline extractor does the work. */
  model: LanguageModel | null;
  /** What a model may look things up in; absent: there is nothing. */
  tools?: ToolBox;
  /** Requests to addresses that callers named. */
  outbound: Outbound;
  states(): { ocr: EngineState; model: EngineState; payments: EngineState };
}
