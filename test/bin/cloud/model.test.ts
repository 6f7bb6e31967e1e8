/** The secret of the model, as operators write it. */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../bin/api-keys.ts";
import { settingsOfSecret } from "../../../bin/cloud/secret-settings.ts";
import { parseModel } from "../../../bin/models.ts";

const modelOf = (text: string) => parseModel(settingsOfSecret(text, "model", "{}"));
const FACTS = { "my-model": { contextTokens: 131_072, takesImages: false } };

describe("the secret of the model", () => {
  it("turns no model on while it names none", () => {
    expect(modelOf("{}")).toBeNull();
    expect(modelOf('{"OPENAI_API_KEY":null,"LLM_MODEL_DEFAULT":null}')).toBeNull();
  });

  it.each([FACTS, JSON.stringify(FACTS)])(
    "accepts facts as JSON, or as a text of JSON as in an environment",
    (facts) => {
      const settings = { OPENAI_API_KEY: "key", LLM_MODEL_DEFAULT: "my-model", LLM_MODEL_FACTS: facts };
      expect(modelOf(JSON.stringify(settings))).toMatchObject({ models: { DEFAULT: "my-model" }, facts: FACTS });
    },
  );

  it.each(["null", "[]", '"a-secret-key"', "5", "", '{"OPENAI_API_KEY":"a-secret-key"'])(
    "refuses %s with the expected form and without quoting the secret",
    (text) => {
      const refused = () => modelOf(text);
      expect(refused).toThrow(ConfigError);
      expect(refused).toThrow(/^The secret of the model must be a JSON object/);
      expect(refused).not.toThrow(/a-secret-key/);
    },
  );

  it.each([
    ['{"OPENAI_API_KEY":"key","LLM_MODEL_DEFAULT":null}', /^LLM_MODEL_DEFAULT is not set/],
    ['{"OPENAI_API_KEY":"key","LLM_MODEL_DEFAULT":"m","LLM_MODEL_FACTS":[]}', /^LLM_MODEL_FACTS must be JSON/],
    [
      '{"OPENAI_API_KEY":"key","LLM_MODEL_DEFAULT":"m","LLM_MODEL_FACTS":{"m":{"contextTokens":"many"}}}',
      /^LLM_MODEL_F/,
    ],
  ])("refuses %s", (text, why) => {
    expect(() => modelOf(text)).toThrow(ConfigError);
    expect(() => modelOf(text)).toThrow(why);
  });
});
