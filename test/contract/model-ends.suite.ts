/** Errors that end a call at once, and the breaker. */
import { expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { JOB_SENTENCES } from "../../functions/ports/errors.ts";
import { answerText, apiError, fail, silence, slowly } from "../support/model-server.ts";
import { type ModelBench, request } from "./model-bench.ts";

/** Failures that no retry can fix. */
export function endTests(bench: ModelBench): void {
  it.each([
    [401, apiError("Incorrect API key", { code: "invalid_api_key" }), /refused the key/],
    [403, apiError("Not allowed"), /refused the key/],
    [404, apiError("No such model", { code: "model_not_found" }), /does not know the model/],
    [403, apiError("No access to model", { code: "model_not_found" }), /does not know the model/],
    [404, "not here", /does not know the model/],
    [400, apiError("Bad message"), /refused the request/],
    [400, apiError("API key not valid. Please pass a valid API key."), /refused the key/],
    [413, "too large", /too long/],
    [400, apiError("Your messages have 200000 tokens", { code: "context_length_exceeded" }), /too long/],
    [400, { object: "error", message: "This model's maximum context length is 4096 tokens." }, /too long/],
    [400, { error: { message: "the request exceeds the available context size (4096 tokens)" } }, /too long/],
    [402, apiError("Insufficient credits"), /service unavailable/],
    [429, apiError("You exceeded your current quota", { code: "insufficient_quota" }), /service unavailable/],
    [307, "elsewhere", /does not know the model/],
  ])("LanguageModel.answer does not retry after %d with %j", async (status, body, sentence) => {
    const error = await bench.failure([fail(status, body, { location: `${bench.server.url}/elsewhere` })]);
    expect(error.message).toMatch(/^Processing failed: [^{}"]+$/);
    expect(error.message).toMatch(sentence);
    expect(error.retryable).toBe(false);
    expect(bench.server.requests).toHaveLength(1);
  });

  it("LanguageModel.answer takes a filtered request for a refusal", async () => {
    bench.server.play([fail(400, apiError("The prompt triggered the policy", { code: "content_filter" }))]);
    expect(await bench.answer()).toMatchObject({ finish: "refusal", attempts: 1 });
  });

  it("LanguageModel.answer stops reading an answer of impossible size", async () => {
    const { message } = await bench.failure([answerText("x".repeat(17 * 2 ** 20))]);
    expect(message).toBe(JOB_SENTENCES.noModel);
    expect(bench.server.requests).toHaveLength(1);
  });

  it("LanguageModel.answer accepts a large answer within its limits", async () => {
    bench.server.play([answerText("é".repeat(4 * 2 ** 20))]);
    expect((await bench.answer({ format: { kind: "text" } })).text).toHaveLength(4 * 2 ** 20);
  });

  it.each([
    ["crawls", slowly(20)],
    ["says nothing", silence()],
  ])("LanguageModel.answer leaves a server that %s at the deadline", async (_, reply) => {
    bench.server.play([reply]);
    const model = bench.open({ clock: systemClock() });
    const started = performance.now();
    const answer = model.answer(request(), { deadline: Date.now() + 300 });
    await expect(answer).rejects.toThrow(JOB_SENTENCES.noModel);
    expect(performance.now() - started).toBeGreaterThan(280);
    expect(performance.now() - started).toBeLessThan(1500);
  });

  it("LanguageModel.answer reports an unavailable service when nobody listens", async () => {
    await bench.server.close();
    expect((await bench.failure([])).message).toBe(JOB_SENTENCES.noModel);
    expect(bench.clock.waits).toHaveLength(5);
  });
}

/** The breaker: a failing server is left alone. */
export function breakerTests(bench: ModelBench): void {
  const outages = async (): Promise<void> => {
    for (let calls = 0; calls < 3; calls += 1) await bench.failure([fail(503)]);
  };

  it("the breaker opens after three failed calls in a row, and lets a call through after a while", async () => {
    await outages();
    const before = bench.server.requests.length;
    const error = await bench.failure([answerText("back")]);
    expect(error.message).toBe(JOB_SENTENCES.noModel);
    expect(bench.server.requests).toHaveLength(before);
    bench.clock.advance(30_000);
    expect((await bench.answer()).text).toBe("back");
    expect((await bench.answer()).text).toBe("back");
    expect(bench.server.requests).toHaveLength(before + 2);
  });

  it("the breaker lets one call through at a time, and opens again when that fails", async () => {
    await outages();
    bench.clock.advance(30_000);
    const before = bench.server.requests.length;
    bench.server.play([fail(500)]);
    const all = await Promise.allSettled([bench.answer(), bench.answer(), bench.answer()]);
    expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(bench.server.requests).toHaveLength(before + 1);
    await bench.failure([answerText("not asked")]);
    expect(bench.server.requests).toHaveLength(before + 1);
  });

  it("the breaker ignores a busy server, and one that refuses", async () => {
    for (let calls = 0; calls < 4; calls += 1) await bench.failure([fail(429)], {}, 400);
    for (let calls = 0; calls < 4; calls += 1) await bench.failure([fail(401)]);
    bench.server.play([answerText("ok")]);
    expect((await bench.answer()).text).toBe("ok");
  });

  it("the breaker ends waiting calls when others find the server gone", async () => {
    const calls = Array.from({ length: 12 }, () => bench.answer());
    bench.server.play([fail(503)]);
    const all = await Promise.allSettled(calls);
    expect(all.every(({ status }) => status === "rejected")).toBe(true);
    expect(bench.server.requests.length).toBeLessThan(12 * 6);
  });
}
