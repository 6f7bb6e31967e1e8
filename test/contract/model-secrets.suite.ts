/** Secrets that are never printed. */
import { inspect } from "node:util";
import { expect, it } from "vitest";
import { JobFailure } from "../../functions/ports/errors.ts";
import { answerBody, answerText, apiError, cutAfter, fail } from "../support/model-server.ts";
import { FIVE_MINUTES_MS, KEY, type ModelBench, request } from "./model-bench.ts";

/** Keys and document text. */
export function secretTests(bench: ModelBench): void {
  it("LanguageModel keeps the key out of errors and events, also when the server echoes it", async () => {
    const echo = apiError(`Incorrect API key provided: ${KEY}. Total: 12`, { code: KEY, param: KEY, type: KEY });
    const replies = [
      fail(401, echo),
      fail(400, echo),
      fail(500, echo, { "x-request-id": KEY }),
      fail(503, `Bearer ${KEY}`),
      cutAfter(20, fail(500, echo)),
      answerBody({ error: echo.error }),
    ];
    for (const reply of replies) {
      bench.server.play([reply]);
      // A driver for each, so that no breaker opens because of the others.
      const model = bench.open();
      const error: unknown = await model.answer(request(), { deadline: bench.clock.now() + 2000 }).catch((e) => e);
      expect(error).toBeInstanceOf(JobFailure);
      const shown = inspect([error, model], { depth: 20, showHidden: true, maxStringLength: null });
      expect(shown).not.toContain("5ecret");
      expect(shown).not.toContain("Total: 12");
    }
    expect(bench.server.requests.length).toBeGreaterThan(replies.length);
    expect(bench.events.length).toBeGreaterThan(replies.length);
    expect(JSON.stringify(bench.events)).not.toMatch(/5ecret|Total: 12/);
  });

  it("LanguageModel writes nothing to the console", async () => {
    const written: unknown[] = [];
    const names = ["log", "info", "warn", "error", "debug"] as const;
    const kept = names.map((name) => console[name]);
    for (const name of names) console[name] = (...args: unknown[]) => void written.push(args);
    process.env.OPENAI_LOG = "debug";
    try {
      bench.server.play([fail(500), answerText("ok")]);
      await bench.open().answer(request(), { deadline: bench.clock.now() + FIVE_MINUTES_MS });
    } finally {
      delete process.env.OPENAI_LOG;
      names.forEach((name, index) => {
        console[name] = kept[index] ?? console[name];
      });
    }
    expect(written).toEqual([]);
  });
}
