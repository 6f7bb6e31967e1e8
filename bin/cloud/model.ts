/** The model of a deployment: its settings stand in a secret, which operators write as the environment of one machine. */
import { secretsClient } from "../../functions/adapters/aws/clients.ts";
import { openSecrets } from "../../functions/adapters/aws/secrets.ts";
import { openOpenAi } from "../../functions/adapters/openai/language-model.ts";
import type { LanguageModel } from "../../functions/ports/llm.ts";
import { ConfigError } from "../api-keys.ts";
import { parseModel } from "../models.ts";
import { required } from "./environment.ts";
import type { Stores } from "./platform.ts";

const REFUSED =
  'The secret of the model must be a JSON object, as in {"OPENAI_API_KEY":"key","LLM_MODEL_DEFAULT":"my-model"}';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error would quote the text.
    throw new ConfigError(REFUSED);
  }
}

/**
 * The secret's settings as an environment has them: null is none, and what is JSON on one machine, a model's facts, may
 * stand as such.
 * @throws ConfigError for a text that is no JSON object
 */
export function settingsOfSecret(text: string): Record<string, string> {
  const settings = parsed(text);
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) throw new ConfigError(REFUSED);
  const texts = Object.entries(settings).flatMap(([name, value]) => {
    if (value === null) return [];
    return [[name, typeof value === "string" ? value : JSON.stringify(value)]];
  });
  return Object.fromEntries(texts);
}

/** The driver stays while its settings do: what it learnt of its server stays with it. */
export function languageModel({ env, clock, observer }: Stores): () => Promise<LanguageModel | null> {
  const secrets = openSecrets({ client: secretsClient(), clock });
  let known: { text: string; model: LanguageModel | null } | undefined;
  return async () => {
    const text = await secrets.text(required(env, "SHEAF_MODEL_SECRET"));
    if (known?.text === text) return known.model;
    const config = parseModel(settingsOfSecret(text));
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
