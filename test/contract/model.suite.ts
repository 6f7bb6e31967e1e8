/** The contract of the model port, with a scripted server of the chat-completions protocol. */
import { afterEach, beforeEach, describe } from "vitest";
import type { LanguageModel } from "../../functions/ports/llm.ts";
import { accountTests, answerTests } from "./model-answers.suite.ts";
import { ModelBench, type ModelOptions } from "./model-bench.ts";
import { breakerTests, endTests } from "./model-ends.suite.ts";
import { secretTests } from "./model-secrets.suite.ts";
import { retryTests } from "./model-tries.suite.ts";

/** Runs the contract on a driver of chat completions. */
export function modelSuite(name: string, open: (options: ModelOptions) => LanguageModel): void {
  describe(`LanguageModel: ${name}`, () => {
    const bench = new ModelBench(open);
    beforeEach(() => bench.start());
    afterEach(() => bench.stop());
    describe("answers", () => answerTests(bench));
    describe("tools, tokens, tiers", () => accountTests(bench));
    describe("tries", () => retryTests(bench));
    describe("ends", () => endTests(bench));
    describe("the breaker", () => breakerTests(bench));
    describe("secrets", () => secretTests(bench));
  });
}
