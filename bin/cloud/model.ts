/** The model of a deployment. Its settings are in a secret, in the form of one machine's environment. */
import { secretsClient } from "../../functions/adapters/aws/clients.ts";
import { openSecrets } from "../../functions/adapters/aws/secrets.ts";
import { openOpenAi } from "../../functions/adapters/openai/language-model.ts";
import type { LanguageModel } from "../../functions/ports/llm.ts";
import { ConfigError } from "../api-keys.ts";
import { parseModel } from "../models.ts";
import { required } from "./environment.ts";
import type { Stores } from "./platform.ts";

const MALFORMED_SECRET =
  'The secret of the model must be a JSON object, as in {"OPENAI_API_KEY":"key","LLM_MODEL_DEFAULT":"my-model"}';

function parseSecret(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error would quote the secret.
    throw new ConfigError(MALFORMED_SECRET);
  }
}

/**
 * The secret's settings as environment variables. Null is unset; settings that are JSON on one machine, such as a
 * model's facts, may be plain JSON here.
 * @throws ConfigError for a text that is not a JSON object
 */
export function settingsOfSecret(text: string): Record<string, string> {
  const settings = parseSecret(text);
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    throw new ConfigError(MALFORMED_SECRET);
  const texts = Object.entries(settings).flatMap(([name, value]) => {
    if (value === null) return [];
    return [[name, typeof value === "string" ? value : JSON.stringify(value)]];
  });
  return Object.fromEntries(texts);
}

/** Keeps the driver, and its knowledge of the server, until its settings change. */
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
