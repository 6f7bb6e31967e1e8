/** Requests to the model, and each kind of answer. */
import { expect, it } from "vitest";
import { ServiceUnavailable } from "../../functions/ports/errors.ts";
import { answerJson, answerText, callTools, filtered, refusal, truncated } from "../support/model-server.ts";
import { KEY, type ModelBench, request, SCHEMA } from "./model-bench.ts";

/** Texts, pictures, refusals and truncated answers. */
export function answerTests(bench: ModelBench): void {
  it("LanguageModel.answer returns the text, the server's name of the model and the tokens", async () => {
    bench.server.play([answerJson({ total: 12 })]);
    expect(await bench.answer()).toEqual({
      text: '{"total":12}',
      toolCalls: [],
      finish: "stop",
      model: "server-model",
      tokens: { prompt: 100, completion: 20, total: 120 },
      attempts: 1,
    });
  });

  it("LanguageModel.answer asks the tier's model, with the schema, no temperature and a seed", async () => {
    await bench.answer({ tier: "HIGH" });
    await bench.answer({ tier: "NANO", temperature: 0.7 });
    const [first, second] = bench.server.requests;
    expect(first?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(first?.path).toBe("/v1/chat/completions");
    expect(first?.body).toMatchObject({ model: "large", temperature: 0 });
    expect(first?.schema).toEqual(SCHEMA);
    expect(first?.body.seed).toEqual(expect.any(Number));
    expect(second?.body).toMatchObject({ model: "tiny", temperature: 0.7, seed: first?.body.seed });
    expect([first?.system, first?.user]).toEqual(["You read invoices.", "Total: 12"]);
  });

  it("LanguageModel.answer sends whole pictures", async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256);
    // A part of a larger buffer, like files that are read in pieces.
    const part = bytes.subarray(1000, 69_000);
    const images = [
      { mimeType: "image/png" as const, bytes: part },
      { mimeType: "image/jpeg" as const, bytes: Uint8Array.of(1, 2, 3) },
    ];
    await bench.answer({ messages: [{ role: "user", text: "Read this page", images }] });
    const [seen] = bench.server.requests;
    expect(seen?.images.map(({ mimeType }) => mimeType)).toEqual(["image/png", "image/jpeg"]);
    expect(Buffer.compare(seen?.images[0]?.bytes ?? Uint8Array.of(), part)).toBe(0);
    expect(seen?.user).toBe("Read this page");
  });

  it("LanguageModel.answer returns text that is not JSON unchanged", async () => {
    bench.server.play([answerText('{"total": 12,,} and more ')]);
    expect(await bench.answer()).toMatchObject({ text: '{"total": 12,,} and more ', finish: "stop", attempts: 1 });
  });

  it("LanguageModel.answer distinguishes refused, filtered and truncated answers", async () => {
    bench.server.play([
      refusal("I cannot help with that"),
      filtered("half an ans"),
      truncated('{"tot'),
      truncated(null),
    ]);
    expect(await bench.answer()).toMatchObject({ finish: "refusal", text: "I cannot help with that" });
    const stopped = await bench.answer();
    expect(stopped.finish).toBe("refusal");
    expect(stopped.text).toMatch(/content filter/);
    expect(stopped.text).not.toContain("half");
    expect(await bench.answer()).toMatchObject({ finish: "length", text: '{"tot' });
    expect(await bench.answer()).toMatchObject({ finish: "length", text: "" });
  });
}

/** Tools, tokens and tiers. */
export function accountTests(bench: ModelBench): void {
  it("LanguageModel.answer lets the model call tools, and sends their results", async () => {
    bench.server.play([
      callTools([
        { id: "call_a", name: "page_text", arguments: { page: 2 } },
        { id: "call_b", name: "page_text", arguments: '{"page": ' },
      ]),
      answerText("done"),
    ]);
    const tools = [{ name: "page_text", description: "Text of a page", parameters: { type: "object" } }];
    const { finish, toolCalls } = await bench.answer({ tools });
    expect(finish).toBe("tool-calls");
    expect(toolCalls).toEqual([
      { id: "call_a", name: "page_text", argumentsText: '{"page":2}' },
      { id: "call_b", name: "page_text", argumentsText: '{"page": ' },
    ]);
    const messages = [
      ...request().messages,
      { role: "assistant" as const, text: "", toolCalls },
      { role: "tool" as const, toolCallId: "call_a", text: "Page 2" },
    ];
    expect((await bench.answer({ tools, messages })).text).toBe("done");
    const [first, second] = bench.server.requests;
    expect(first?.body.tools).toMatchObject([{ type: "function", function: tools[0] }]);
    expect(second?.body.messages).toEqual([
      { role: "system", content: "You read invoices." },
      { role: "user", content: "Total: 12" },
      {
        role: "assistant",
        content: null,
        tool_calls: toolCalls.map(({ id, name, argumentsText }) => ({
          id,
          type: "function",
          function: { name, arguments: argumentsText },
        })),
      },
      { role: "tool", tool_call_id: "call_a", content: "Page 2" },
    ]);
  });

  it("LanguageModel.answer estimates the tokens that the server does not count", async () => {
    bench.server.play([answerJson({ total: 12 }, { usage: null })]);
    const messages = [{ role: "user" as const, text: "word ".repeat(1000) }];
    const { tokens } = await bench.answer({ messages, format: { kind: "text" } });
    expect(tokens.prompt).toBeGreaterThan(1000);
    expect(tokens.prompt).toBeLessThan(2000);
    expect(tokens.completion).toBeGreaterThan(3);
    expect(tokens.total).toBe(tokens.prompt + tokens.completion);
  });

  it("LanguageModel.answer refuses a tier without a model", async () => {
    expect(() => bench.model.facts("MINI")).toThrow(ServiceUnavailable);
    await expect(bench.answer({ tier: "MINI" })).rejects.toThrow(ServiceUnavailable);
    expect(bench.model.facts("HIGH")).toMatchObject({ model: "large", providerKey: expect.stringMatching(/:large$/) });
    expect(bench.server.requests).toEqual([]);
  });
}
