/** The model of a deployment. Its settings are in a secret, in the form of one machine's environment. */
import { secretsClient } from "../../functions/adapters/aws/clients.ts";
import { openSecrets } from "../../functions/adapters/aws/secrets.ts";
import { openOpenAi } from "../../functions/adapters/openai/language-model.ts";
import type { LanguageModel } from "../../functions/ports/llm.ts";
import { parseModel } from "../models.ts";
import { required } from "./environment.ts";
import type { Stores } from "./platform.ts";
import { settingsOfSecret } from "./secret-settings.ts";

const EXAMPLE = '{"OPENAI_API_KEY":"key","LLM_MODEL_DEFAULT":"my-model"}';

/** Keeps the driver, and its knowledge of the server, until its settings change. */
export function languageModel({ env, clock, observer }: Stores): () => Promise<LanguageModel | null> {
  const secrets = openSecrets({ client: secretsClient(), clock });
  let known: { text: string; model: LanguageModel | null } | undefined;
  return async () => {
    const text = await secrets.text(required(env, "SHEAF_MODEL_SECRET"));
    if (known?.text === text) return known.model;
    const config = parseModel(settingsOfSecret(text, "model", EXAMPLE));
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
