import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { LanguageModel, LlmTier } from "../../ports/llm.ts";
import type { OcrEngine, OcrLevel } from "../../ports/ocr.ts";
import type { OfficeProgram } from "../../ports/office-program.ts";
import type { Outbound } from "../../ports/outbound.ts";
import type { ModelDrivers, OcrDrivers, OcrKey, OwnProviders, ProviderProbes } from "../../ports/own-providers.ts";
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
  /** The service's own; ask for `ocrOf`. Null: pages without a text layer stay without text. */
  ocr: OcrEngine | null;
  /** The service's own; ask for `modelOf`. Null: the offline extractor does the work. */
  model: LanguageModel | null;
  /** Drivers of organizations' own providers, in functions that ask them. */
  ownModels?: ModelDrivers;
  ownOcr?: OcrDrivers;
  probes?: ProviderProbes;
  /** The organization's own providers of a run, which win over the service's. Absent: it has none. */
  own?: OwnProviders;
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

/** The model of a tier: the organization's own provider, else the service's. Null: the offline extractor. */
export const modelOf = (
  { own, model }: Pick<Engines, "own" | "model">,
  tier: LlmTier = "DEFAULT",
): LanguageModel | null => own?.models[tier] ?? model;

/** The key that a level of recognition asks for. */
export const ocrKeyOf = (level: OcrLevel): OcrKey => (level === "PREMIUM" ? "PREMIUM" : "DEFAULT");

/** The text recognition of a level, in the same order. Null: there is none. */
export const ocrOf = ({ own, ocr }: Pick<Engines, "own" | "ocr">, level: OcrLevel): OcrEngine | null =>
  own?.ocr[ocrKeyOf(level)] ?? ocr;
