/** Facts assumed of models: of every name in the installed package's list, and of any other. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { knownFacts } from "../../../../functions/adapters/openai/facts.ts";

const types = createRequire(import.meta.url)
  .resolve("openai/resources/shared")
  .replace(/\.m?js$/, ".d.ts");
const [, list = ""] = /export type ChatModel =([^;]*);/.exec(readFileSync(types, "utf8")) ?? [];
const NAMES = [...list.matchAll(/'([^']+)'/g)].map(([, name = ""]) => name);

/** Context sizes with their models; models not listed are unknown by name. */
const CONTEXTS: Record<number, RegExp> = {
  4096: /^gpt-3\.5-turbo-(0301|0613)$/,
  8192: /^gpt-4(-0314|-0613)?$/,
  16385: /^gpt-3\.5/,
  32768: /^(gpt-4-32k|gpt-audio|codex-mini)/,
  128000: /^(chat)?gpt-4o|^gpt-4-(turbo|0125|1106|vision)|^o1-(mini|preview)|-chat-latest$|^gpt-(5\.[3-9]|[6-9])/,
  200000: /^(o1|o3|o4)/,
  400000: /^gpt-5(\.[12])?/,
  1047576: /^gpt-4\.1/,
};

describe("knownFacts for the package's list of models", () => {
  it("matches a family, or gives no more than the minimum", () => {
    expect(NAMES.length).toBeGreaterThan(50);
    for (const name of NAMES) {
      const { contextTokens, answerTokens } = knownFacts(name);
      expect(CONTEXTS[contextTokens]?.test(name), `${name}: ${contextTokens}`).toBe(true);
      expect(answerTokens, name).toBeLessThan(contextTokens);
    }
  });

  it("gives a newer family the minimum of the known ones", () => {
    for (const name of ["gpt-5.4", "gpt-6-sol", "gpt-6.1-terra", "gpt-9"]) {
      expect(knownFacts(name)).toEqual({
        contextTokens: 128_000,
        answerTokens: 16_384,
        takesImages: true,
        reasons: true,
      });
    }
  });
});

it("knownFacts gives an unknown model the minimum, whatever prefix its name has", () => {
  const little = { contextTokens: 32_768, answerTokens: 4_096, takesImages: false, reasons: false };
  for (const name of ["llama-3.3-70b", "mistral/large", "gpt", "", "my-gpt-4o-copy"])
    expect(knownFacts(name)).toEqual(little);
  expect(knownFacts("openai/gpt-4.1-mini")).toEqual(knownFacts("gpt-4.1"));
  expect(knownFacts("ft:gpt-4o-mini-2024-07-18:acme::x")).toEqual(knownFacts("gpt-4o-mini"));
});
