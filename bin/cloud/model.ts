/** The model of a deployment: its settings stand in a secret, which operators write as the environment of one machine. */
import { secretsClient } from "../../functions/adapters/aws/clients.ts";
import { openSecrets } from "../../functions/adapters/aws/secrets.ts";
import { openOpenAi } from "../../functions/adapters/openai/language-model.ts";
import type { LanguageModel } from "../../functions/core/llm/ports.ts";
import { ConfigError } from "../api-keys.ts";
import { parseModel } from "../models.ts";
import { required } from "./environment.ts";
import type { Stores } from "./platform.ts";

/** @throws ConfigError for a text that is no JSON object of texts */
function settingsOf(text: string): Record<string, string> {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    // The parser's own error would quote the text.
    throw new ConfigError("The secret of the model is not JSON");
  }
}

/** The driver stays while its settings do: what it learnt of its server stays with it. */
export function languageModel({ env, clock, observer }: Stores): () => Promise<LanguageModel | null> {
  const secrets = openSecrets({ client: secretsClient(), clock });
  let known: { text: string; model: LanguageModel | null } | undefined;
  return async () => {
    const text = await secrets.text(required(env, "SHEAF_MODEL_SECRET"));
    if (known?.text === text) return known.model;
    const config = parseModel(settingsOf(text));
    const model =
      config === null
        ? null
        : openOpenAi({
            ...config,
            clock,
            onEvent: ({ kind, ...facts }) => observer.log("info", `model ${kind}`, facts),
          });
    known = { text, model };
    return model;
  };
}
