/** Parameters that models refuse by name are left out, and later calls remember it. */
import { describe, expect, it } from "vitest";
import type { ModelEvent } from "../../../../functions/adapters/openai/events.ts";
import { type OpenAiOptions, openOpenAi } from "../../../../functions/adapters/openai/language-model.ts";
import type { LanguageModel, ModelRequest } from "../../../../functions/ports/llm.ts";
import { eagerClock } from "../../../support/eager-clock.ts";
import {
  answerJson,
  answerText,
  apiError,
  fail,
  type ModelReply,
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../../support/model-server.ts";

const SCHEMA = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
const JSON_REQUEST: ModelRequest = {
  tier: "DEFAULT",
  messages: [
    { role: "system", text: "You read invoices." },
    { role: "user", text: "Total: 12" },
  ],
  format: { kind: "json", name: "my invoice/1", schema: SCHEMA },
  maxTokens: 500,
  reasoningEffort: "low",
};

const clock = eagerClock();
const soon = () => ({ deadline: clock.now() + 60_000 });

function open(server: ModelServer, more: Partial<OpenAiOptions> = {}): LanguageModel {
  const models = { NANO: "other", MINI: null, DEFAULT: "some-model", HIGH: "gpt-5-mini" };
  return openOpenAi({ clock, apiKey: "key", baseUrl: server.url, models, ...more });
}

const unsupported = (param: string): ReturnType<typeof apiError> =>
  apiError(`Unsupported parameter: '${param}' is not supported with this model.`, {
    param,
    code: "unsupported_parameter",
  });

const typeOf = ({ body }: SeenRequest): unknown => (body.response_format as { type?: string } | undefined)?.type;

/** Refuses while the request contains the refused parameter. */
const refusing =
  (...rules: [(request: SeenRequest) => boolean, ModelReply][]) =>
  (request: SeenRequest): ModelReply =>
    rules.find(([applies]) => applies(request))?.[1] ?? answerJson({ total: 12 });

describe("structured outputs", () => {
  it("are requested strictly, under a name that the protocol accepts", async () => {
    await using server = await startModelServer();
    await open(server).answer(JSON_REQUEST, soon());
    expect(server.requests[0]?.body.response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "my_invoice_1", strict: true, schema: SCHEMA },
    });
    expect(server.requests[0]?.system).toBe("You read invoices.");
  });

  it.each([
    [
      "OpenAI",
      400,
      apiError("Invalid parameter: 'response_format' of type 'json_schema' is not supported", {
        param: "response_format",
      }),
    ],
    ["DeepSeek", 400, apiError("This response_format type is unavailable now")],
    ["FastAPI", 422, { detail: [{ loc: ["body", "response_format", "type"], msg: "unexpected value" }] }],
    ["text", 400, "unknown field response_format.json_schema"],
  ])("fall back to JSON mode with the schema in the prompt: %s", async (_, status, body) => {
    await using server = await startModelServer(
      refusing([(request) => typeOf(request) === "json_schema", fail(status, body)]),
    );
    const model = open(server);
    expect(await model.answer(JSON_REQUEST, soon())).toMatchObject({ text: '{"total":12}', attempts: 2 });
    expect(await model.answer(JSON_REQUEST, soon())).toMatchObject({ attempts: 1 });
    expect(server.requests.map(typeOf)).toEqual(["json_schema", "json_object", "json_object"]);
    const { system = "", user } = server.requests[1] ?? {};
    expect(system.startsWith("You read invoices.")).toBe(true);
    expect(system).toContain(JSON.stringify(SCHEMA));
    expect(user).toBe("Total: 12");
    // Another model of the same server is asked for itself.
    await model.answer({ ...JSON_REQUEST, tier: "NANO" }, soon());
    expect(typeOf(server.requests[3] ?? server.requests[0] ?? Object.create(null))).toBe("json_schema");
  });

  it("fall back to plain text when JSON mode is refused too, without its fence and thoughts", async () => {
    await using server = await startModelServer(
      refusing(
        [(request) => typeOf(request) !== undefined, fail(400, { error: "'response_format.type' must be 'text'" })],
        [() => true, answerText('<think>\nOne, two…\n</think>\n```json\n{"total": 12}\n```\n')],
      ),
    );
    const model = open(server);
    expect(await model.answer(JSON_REQUEST, soon())).toMatchObject({ text: '{"total": 12}', attempts: 3 });
    expect(server.requests.map(typeOf)).toEqual(["json_schema", "json_object", undefined]);
    expect(server.requests[2]?.system).toContain(JSON.stringify(SCHEMA));
    expect((await model.answer(JSON_REQUEST, soon())).attempts).toBe(1);
  });

  it("remain for other schemas when only this one is refused", async () => {
    await using server = await startModelServer(
      refusing([
        (request) => JSON.stringify(request.schema ?? null).includes("total"),
        fail(
          400,
          apiError("Invalid schema for response_format 'invoice': 'additionalProperties' is required", {
            param: "response_format",
          }),
        ),
      ]),
    );
    const model = open(server);
    expect((await model.answer(JSON_REQUEST, soon())).attempts).toBe(2);
    const other: ModelRequest = { ...JSON_REQUEST, format: { kind: "json", name: "x", schema: { type: "object" } } };
    expect((await model.answer(other, soon())).attempts).toBe(1);
    expect(server.requests.map(typeOf)).toEqual(["json_schema", "json_object", "json_schema"]);
  });

  it("are absent without a schema: JSON mode, and the word JSON in the prompt", async () => {
    await using server = await startModelServer();
    const model = open(server);
    const messages: ModelRequest["messages"] = [{ role: "user", text: "Total: 12" }];
    await model.answer({ ...JSON_REQUEST, messages, format: { kind: "json", name: "x" } }, soon());
    await model.answer({ ...JSON_REQUEST, messages, format: { kind: "text" } }, soon());
    expect(server.requests.map(typeOf)).toEqual(["json_object", undefined]);
    expect(server.requests.map(({ system }) => system.includes("JSON"))).toEqual([true, false]);
  });

  it("leave plain answers unchanged, fences too", async () => {
    const text = "```json\n{}\n```";
    await using server = await startModelServer([answerText(text)]);
    expect((await open(server).answer({ ...JSON_REQUEST, format: { kind: "text" } }, soon())).text).toBe(text);
  });
});

describe("refused parameters", () => {
  it("are left out one by one, remembered, and reported", async () => {
    const events: ModelEvent[] = [];
    await using server = await startModelServer(
      refusing(
        ...["temperature", "seed", "reasoning_effort", "max_tokens"].map(
          (name): [(request: SeenRequest) => boolean, ModelReply] => [
            ({ body }) => name in body,
            fail(400, unsupported(name)),
          ],
        ),
      ),
    );
    const model = open(server, { onEvent: (event) => events.push(event) });
    expect((await model.answer(JSON_REQUEST, soon())).attempts).toBe(5);
    expect((await model.answer(JSON_REQUEST, soon())).attempts).toBe(1);
    const { body } = server.requests[5] ?? {};
    expect(body).toMatchObject({ max_completion_tokens: 500 });
    expect(Object.keys(body ?? {}).sort()).toEqual(["max_completion_tokens", "messages", "model", "response_format"]);
    expect(events.flatMap((event) => (event.kind === "without" ? [[event.parameter, event.remembered]] : []))).toEqual([
      ["temperature", true],
      ["seed", true],
      ["reasoning_effort", true],
      ["max_tokens", true],
    ]);
    expect(clock.waits).toEqual([]);
  });

  it("are not sent to known reasoning models", async () => {
    await using server = await startModelServer();
    await open(server).answer({ ...JSON_REQUEST, tier: "HIGH" }, soon());
    const { body } = server.requests[0] ?? {};
    expect(body).toMatchObject({ model: "gpt-5-mini", max_completion_tokens: 500, reasoning_effort: "low" });
    expect(body).not.toHaveProperty("temperature");
    expect(body).not.toHaveProperty("max_tokens");
  });

  it("include a limit that is too large for the server, for this call only", async () => {
    const message = "max_tokens is too large: 500. This model supports at most 200 completion tokens";
    await using server = await startModelServer(
      refusing([({ body }) => body.max_tokens === 500, fail(400, apiError(message, { param: "max_tokens" }))]),
    );
    const model = open(server);
    expect((await model.answer(JSON_REQUEST, soon())).attempts).toBe(2);
    expect((await model.answer({ ...JSON_REQUEST, maxTokens: 100 }, soon())).attempts).toBe(1);
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([500, undefined, 100]);
  });

  it("include the limit when prompt and answer together are too long; then the call fails", async () => {
    const message = "This model's maximum context length is 4096 tokens. However, you requested 4500 tokens";
    await using server = await startModelServer(refusing([({ body }) => "max_tokens" in body, fail(400, { message })]));
    expect((await open(server).answer(JSON_REQUEST, soon())).attempts).toBe(2);
    server.play([fail(400, { message })]);
    await expect(open(server).answer(JSON_REQUEST, soon())).rejects.toThrow(/too long for the AI model/);
    expect(server.requests).toHaveLength(4);
  });

  it("do not exceed the model's longest answer", async () => {
    await using server = await startModelServer();
    await open(server, { facts: { "some-model": { answerTokens: 300 } } }).answer(JSON_REQUEST, soon());
    expect(server.requests[0]?.body.max_tokens).toBe(300);
  });

  it("end the call when they are required, or were not sent", async () => {
    await using server = await startModelServer([fail(400, unsupported("messages"))]);
    await expect(open(server).answer(JSON_REQUEST, soon())).rejects.toThrow(/refused the request/);
    server.play([fail(400, unsupported("temperature"))]);
    await expect(open(server).answer(JSON_REQUEST, soon())).rejects.toThrow(/refused the request/);
    expect(server.requests).toHaveLength(3);
  });
});

it("openOpenAi survives a server that refuses every request", async () => {
  const everything = "response_format temperature seed max_tokens max_completion_tokens reasoning_effort";
  await using server = await startModelServer([fail(400, apiError(everything))]);
  await expect(open(server).answer(JSON_REQUEST, soon())).rejects.toThrow(/refused the request/);
  expect(server.requests.length).toBeLessThan(10);
});
