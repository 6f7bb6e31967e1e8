/** The model of one machine, from its environment. */
import type { LocalObserver } from "../../functions/adapters/local/observer.ts";
import { openOpenAi } from "../../functions/adapters/openai/language-model.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import type { LanguageModel } from "../../functions/ports/llm.ts";
import type { EngineState } from "../../functions/service/organizations/engines.ts";
import { NO_MODEL } from "../engines.ts";
import type { ModelConfig } from "../models.ts";
import { ConfigError } from "./config.ts";

/** @throws ConfigError for an invalid address or key */
export function openModel(
  config: ModelConfig | null,
  { clock, observer }: { clock: Clock; observer: LocalObserver },
): { model: LanguageModel | null; state: EngineState } {
  if (config === null) return { model: null, state: NO_MODEL };
  try {
    const model = openOpenAi({
      ...config,
      clock,
      onEvent: ({ kind, ...facts }) => observer.log(kind === "answered" ? "debug" : "info", `model ${kind}`, facts),
    });
    const where = config.baseUrl === undefined ? "" : ` at ${new URL(config.baseUrl).host}`;
    return { model, state: { name: "model", on: true, detail: `${config.models.DEFAULT}${where}` } };
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}
