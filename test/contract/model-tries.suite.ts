/** Retries and their pauses. */
import { expect, it } from "vitest";
import { JOB_SENTENCES } from "../../functions/ports/errors.ts";
import { answerBody, answerJson, answerText, cutAfter, fail } from "../support/model-server.ts";
import { FIVE_MINUTES_MS, type ModelBench, request } from "./model-bench.ts";

/** Failures that a retry may fix. */
export function retryTests(bench: ModelBench): void {
  it.each([408, 409, 429, 500, 502, 503, 504, 529])("LanguageModel.answer retries after %d", async (status) => {
    bench.server.play([fail(status), answerJson({ total: 12 })]);
    expect(await bench.answer()).toMatchObject({ text: '{"total":12}', attempts: 2 });
    expect(bench.clock.waits).toHaveLength(1);
  });

  it("LanguageModel.answer waits longer each time, at random", async () => {
    let shift = 0;
    const random = () => [0.1, 0.9, 0.4, 0.7][shift++ % 4] ?? 0;
    const model = bench.open({ random });
    bench.server.play([fail(500), fail(500), fail(500), fail(500), answerText("ok")]);
    const { attempts } = await model.answer(request(), { deadline: bench.clock.now() + FIVE_MINUTES_MS });
    expect(attempts).toBe(5);
    const shares = bench.clock.waits.map((wait, index) => wait / (500 * 2 ** index));
    expect(shares.every((share) => share >= 0.5 && share <= 1)).toBe(true);
    expect(new Set(shares).size).toBe(4);
  });

  it("LanguageModel.answer waits as long as the server says, in seconds, milliseconds or until a date", async () => {
    const date = new Date(bench.clock.now() + 40_000).toUTCString();
    bench.server.play([
      fail(429, undefined, { "retry-after": "17" }),
      fail(503, undefined, { "retry-after-ms": "12345", "retry-after": "1" }),
      answerText("ok"),
    ]);
    expect((await bench.answer()).attempts).toBe(3);
    expect(bench.clock.waits).toEqual([17_000, 12_345]);
    bench.server.play([fail(429, undefined, { "retry-after": date }), answerText("ok")]);
    await bench.answer();
    // 29.345 s of the 40 have passed; dates have whole seconds.
    expect(bench.clock.waits[2]).toBeGreaterThan(9_600);
    expect(bench.clock.waits[2]).toBeLessThanOrEqual(10_655);
  });

  it("LanguageModel.answer does not begin a wait that would exceed the deadline", async () => {
    const { message } = await bench.failure([fail(429, undefined, { "retry-after": "60" })], {}, 59_000);
    expect(message).toBe(JOB_SENTENCES.noModel);
    expect(bench.clock.waits).toEqual([]);
    expect(bench.server.requests).toHaveLength(1);
    await bench.failure([answerText("too late")], {}, 0);
    expect(bench.server.requests).toHaveLength(1);
  });

  it("LanguageModel.answer is more patient with a busy server than with a missing one", async () => {
    bench.server.play(({ index }) => (index < 12 ? fail(429) : answerText("ok")));
    expect((await bench.answer({}, 10 * FIVE_MINUTES_MS)).attempts).toBe(13);
    const { message } = await bench.failure([fail(503)], {}, 10 * FIVE_MINUTES_MS);
    expect(message).toBe(JOB_SENTENCES.noModel);
    expect(bench.server.requests).toHaveLength(13 + 6);
  });

  it("LanguageModel.answer retries after a cut connection, before, within and instead of an answer", async () => {
    bench.server.play([cutAfter(0), cutAfter(10), cutAfter(80), answerJson({ total: 12 })]);
    expect(await bench.answer()).toMatchObject({ text: '{"total":12}', attempts: 4 });
  });

  it.each([
    ["no choices", answerBody({ choices: [] })],
    ["no message", answerBody({ choices: [{ finish_reason: "stop" }] })],
    ["no content", answerBody({ choices: [{ message: { role: "assistant", content: null }, finish_reason: "stop" }] })],
    ["no JSON", answerBody("<html>Welcome to nginx</html>")],
    ["nothing", answerBody("")],
    ["null", answerBody("null")],
    ["an error in disguise", answerBody({ error: { code: 503, message: "overloaded" } })],
  ])("LanguageModel.answer takes %s for no answer", async (_, reply) => {
    bench.server.play([reply, answerJson({ total: 12 })]);
    expect(await bench.answer()).toMatchObject({ text: '{"total":12}', attempts: 2 });
    expect((await bench.failure([reply])).message).toBe(JOB_SENTENCES.noModel);
  });

  it("LanguageModel.answer adds the counted tokens of failed tries", async () => {
    const usage = { prompt_tokens: 50, completion_tokens: 3, total_tokens: 53 };
    bench.server.play([answerBody({ choices: [], usage }), fail(500, { error: {}, usage }), answerJson({ total: 12 })]);
    expect((await bench.answer()).tokens).toEqual({ prompt: 200, completion: 26, total: 226 });
  });

  it("LanguageModel.answer follows the server's x-should-retry header", async () => {
    expect((await bench.failure([fail(500, undefined, { "x-should-retry": "false" })])).message).toBe(
      JOB_SENTENCES.noModel,
    );
    expect(bench.server.requests).toHaveLength(1);
    bench.server.play([fail(400, undefined, { "x-should-retry": "true" }), answerText("ok")]);
    expect((await bench.answer()).attempts).toBe(2);
  });
}
