/** Opening the driver: its options, and its knowledge of models. */
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import type { ModelEvent } from "../../../../functions/adapters/openai/events.ts";
import { type OpenAiOptions, openOpenAi } from "../../../../functions/adapters/openai/language-model.ts";
import type { ModelRequest } from "../../../../functions/ports/llm.ts";
import { eagerClock } from "../../../support/eager-clock.ts";
import { answerBody, answerText, fail, silence, startModelServer } from "../../../support/model-server.ts";

const REQUEST: ModelRequest = { tier: "DEFAULT", messages: [{ role: "user", text: "hi" }], format: { kind: "text" } };

const clock = eagerClock();
const models = (name: string): OpenAiOptions["models"] => ({ NANO: name, MINI: name, DEFAULT: name, HIGH: null });
const open = (more: Partial<OpenAiOptions> = {}) =>
  openOpenAi({ clock, apiKey: "key", models: models("some-model"), ...more });
const later = (milliseconds = 60_000) => ({ deadline: clock.now() + milliseconds });

describe("the base URL", () => {
  const asked = async (baseUrl?: string): Promise<string> => {
    let url = "";
    const seen: typeof fetch = async (input) => {
      url = String(input);
      return Response.json(answerText("ok").body);
    };
    await open({ fetch: seen, ...(baseUrl === undefined ? {} : { baseUrl }) }).answer(REQUEST, later());
    return url;
  };

  it.each([
    [undefined, "https://api.openai.com/v1/chat/completions"],
    ["", "https://api.openai.com/v1/chat/completions"],
    ["http://models.internal:8000/v1///", "http://models.internal:8000/v1/chat/completions"],
    [" https://gateway.example/team/a/ ", "https://gateway.example/team/a/chat/completions"],
    ["https://gateway.example/?version=2", "https://gateway.example/chat/completions?version=2"],
    ["http://[::1]:11434/v1#top", "http://[::1]:11434/v1/chat/completions"],
  ])("%j gives requests to %s", async (baseUrl, url) => {
    expect(await asked(baseUrl)).toBe(url);
  });

  it.each(["models.internal", "ftp://models.internal", "https://", "file:///etc/passwd"])(
    "%j is refused",
    (baseUrl) => {
      expect(() => open({ baseUrl })).toThrow(TypeError);
    },
  );

  it("is refused with a password in it, without quoting it", () => {
    expect(() => open({ baseUrl: "https://me:pa55@models.internal/v1" })).toThrow(/^[^5]+$/);
  });
});

describe("the API key", () => {
  it.each(["", "sk-5ecret\n", "sk 5ecret", "sk-5ecret-ü"])("%j is refused, without quoting it", (apiKey) => {
    const refused = () => open({ apiKey });
    expect(refused).toThrow(TypeError);
    try {
      refused();
    } catch (error) {
      expect(inspect(error)).not.toContain("5ecret");
    }
  });
});

describe("model facts", () => {
  it.each([
    ["gpt-4.1-mini", 1_047_576, 32_768, true],
    ["gpt-4o-mini-2024-07-18", 128_000, 16_384, true],
    ["openai/gpt-4o", 128_000, 16_384, true],
    ["ft:gpt-4o-mini-2024-07-18:acme::abc", 128_000, 16_384, true],
    ["gpt-5.2", 400_000, 128_000, true],
    ["gpt-5.2-chat-latest", 128_000, 16_384, true],
    ["o4-mini", 200_000, 100_000, true],
    ["o3-mini", 200_000, 100_000, false],
    ["gpt-6-sol", 128_000, 16_384, true],
    ["gpt-4-turbo", 128_000, 4_096, true],
    ["gpt-4-turbo-preview", 128_000, 4_096, false],
    ["gpt-4", 8_192, 4_096, false],
    ["gpt-3.5-turbo", 16_385, 4_096, false],
    ["openai/gpt-oss-120b", 131_072, 32_768, false],
    ["somebody/some-model-7b", 32_768, 4_096, false],
  ])("are known for %s", (model, contextTokens, answerTokens, takesImages) => {
    const facts = open({ models: models(model) }).facts("NANO");
    expect(facts).toEqual({ model, contextTokens, answerTokens, takesImages, providerKey: `openai:${model}` });
  });

  it("are the operator's when configured", () => {
    const facts = { "some-model": { contextTokens: 8_000, takesImages: true, providerKey: "provider:7" } };
    expect(open({ facts }).facts("DEFAULT")).toEqual({
      model: "some-model",
      contextTokens: 8_000,
      answerTokens: 4_096,
      takesImages: true,
      providerKey: "provider:7",
    });
  });
});

describe("events for the operator", () => {
  it("have reasons, statuses and counts", async () => {
    await using server = await startModelServer([fail(503), answerText("ok")]);
    const events: ModelEvent[] = [];
    await open({ baseUrl: server.url, random: () => 0, onEvent: (event) => events.push(event) }).answer(
      REQUEST,
      later(),
    );
    const call = { tier: "DEFAULT", model: "some-model" };
    expect(events).toEqual([
      { kind: "retry", ...call, attempt: 1, reason: "server", status: 503, waitMilliseconds: 250 },
      {
        kind: "answered",
        ...call,
        attempts: 2,
        milliseconds: 250,
        promptTokens: 100,
        completionTokens: 20,
        estimated: false,
      },
    ]);
  });

  it("name a connection's failure, and the opening of the breaker", async () => {
    const server = await startModelServer();
    await server.close();
    const events: ModelEvent[] = [];
    const model = open({ baseUrl: server.url, onEvent: (event) => events.push(event) });
    for (let calls = 0; calls < 4; calls += 1) await expect(model.answer(REQUEST, later())).rejects.toThrow();
    expect(events.filter(({ kind }) => kind === "failed")).toMatchObject([
      { reason: "connection", code: "ECONNREFUSED", attempt: 6 },
      { reason: "connection", code: "ECONNREFUSED", attempt: 6 },
      { reason: "connection", code: "ECONNREFUSED", attempt: 6 },
      { reason: "resting", attempt: 0 },
    ]);
    expect(events.filter(({ kind }) => kind === "breaker")).toEqual([{ kind: "breaker", state: "open" }]);
  });
});

describe("the time of a call", () => {
  it("is split to leave some for another attempt: of 40 s, the first has 24", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    try {
      await open({ fetch: async () => Response.json(answerText("ok").body) }).answer(REQUEST, later(40_000));
      expect(timers.mock.calls.map(([, milliseconds]) => milliseconds)).toContain(24_000);
    } finally {
      timers.mockRestore();
    }
  });

  it("does not count as an outage when the deadline came too soon", async () => {
    await using server = await startModelServer([silence()]);
    const model = open({ baseUrl: server.url, clock: systemClock() });
    const answers = [20, 20, 20, 20].map((left) => model.answer(REQUEST, { deadline: Date.now() + left }));
    for (const answer of answers) await expect(answer).rejects.toThrow("AI service unavailable");
    server.play([answerText("ok")]);
    expect((await model.answer(REQUEST, { deadline: Date.now() + 5_000 })).text).toBe("ok");
  });

  it("limits the reading of a body that ignores the signal", async () => {
    const endless: typeof fetch = async () =>
      new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), { status: 200 });
    const model = open({ fetch: endless, clock: systemClock() });
    const started = performance.now();
    await expect(model.answer(REQUEST, { deadline: Date.now() + 100 })).rejects.toThrow("AI service unavailable");
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("unusual answers", () => {
  const message = (more: object) => answerBody({ choices: [{ message: more, finish_reason: "stop" }] });

  it("are parsed when possible", async () => {
    const call = { type: "function", function: { name: "page", arguments: { page: 2 } } };
    await using server = await startModelServer([
      message({ content: [{ type: "text", text: "one " }, { type: "text", text: "two" }, { type: "odd" }, null] }),
      message({ tool_calls: [null, call, { function: { arguments: "{}" } }] }),
      message({ content: "" }),
    ]);
    const model = open({ baseUrl: server.url });
    expect(await model.answer(REQUEST, later())).toMatchObject({ text: "one two", model: "some-model" });
    expect(await model.answer(REQUEST, later())).toMatchObject({
      finish: "tool-calls",
      toolCalls: [{ id: "call-2", name: "page", argumentsText: '{"page":2}' }],
    });
    expect(await model.answer(REQUEST, later())).toMatchObject({ text: "", finish: "stop" });
  });

  it("have token counts only when plausible", async () => {
    const usage = { prompt_tokens: -5, completion_tokens: "many", total_tokens: 1.5 };
    const { body } = answerText("ok");
    await using server = await startModelServer([answerBody({ ...(body as object), usage })]);
    const { tokens } = await open({ baseUrl: server.url }).answer(REQUEST, later());
    expect(tokens.prompt).toBeGreaterThan(0);
    expect(tokens.total).toBe(tokens.prompt + tokens.completion);
  });
});
