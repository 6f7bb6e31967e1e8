import { describe, expect, it } from "vitest";
import { JobFailure } from "../../../../../functions/ports/errors.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import type { ModelRequest } from "../../../../../functions/ports/llm.ts";
import { cut, refusal, run, text } from "../../../service/extraction/model-support.ts";

const INVOICE: Json = {
  type: "object",
  properties: {
    number: { type: "string" },
    date: { type: "string", format: "date" },
    total: { type: "number" },
    note: { type: "string" },
  },
  required: ["number", "total"],
};
const RIGHT = { number: "4711", date: "2024-03-05", total: 1234.5, note: null };

const userText = (request: ModelRequest | undefined): string =>
  request?.messages.findLast(({ role }) => role === "user")?.text ?? "";

describe("unusable answers of a model", () => {
  it("are searched for JSON in fences and prose", async () => {
    for (const answer of [
      `\`\`\`json\n${JSON.stringify(RIGHT)}\n\`\`\``,
      `Here it is: ${JSON.stringify(RIGHT)} Anything else?`,
    ]) {
      const { done, model } = await run([text(answer)], { schema: INVOICE });
      expect(done?.status).toBe("COMPLETED");
      expect(model.requests).toHaveLength(1);
    }
  });

  it("without JSON are asked for once more, then fail the run", async () => {
    const { done, model } = await run([text("I found an invoice."), RIGHT], { schema: INVOICE });
    expect(done?.status).toBe("COMPLETED");
    expect(model.requests[1]?.messages.slice(-2)).toEqual([
      { role: "assistant", text: "I found an invoice." },
      { role: "user", text: expect.stringContaining("not the JSON") },
    ]);
    const twice = await run([text("no"), text("{broken")], { schema: INVOICE });
    expect(twice.error).toBeInstanceOf(JobFailure);
    expect(twice.error?.message).toBe("Processing failed: The model's answer is not valid JSON");
    expect(twice.model.requests).toHaveLength(2);
  });

  it("fail the run when the model refuses", async () => {
    const { error } = await run([refusal("I cannot help with that")], { schema: INVOICE });
    expect(error?.message).toBe("Processing failed: The model refused to answer");
  });

  it("that are cut off are asked for in parts once, then fail the run", async () => {
    const schema = {
      type: "object",
      properties: {
        number: { type: "string" },
        lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
      },
    };
    const { data, done, model } = await run(
      (request) => {
        const asked = userText(request);
        if (asked.includes("Extract the data that the schema describes"))
          return cut('{"number":"4711","lines":[{"sku":"A');
        if (asked.includes('list "lines"')) return { rows: [{ page: 1, row: { sku: "A1" } }] };
        return { number: "4711" };
      },
      { schema },
    );
    expect(data).toEqual({ number: "4711", lines: [{ sku: "A1" }] });
    expect(done?.status).toBe("COMPLETED");
    expect(model.requests).toHaveLength(3);
    const failed = await run([cut('{"number":"4711')], { schema });
    expect(failed.error?.message).toMatch(/^Processing failed: The model's answer was cut off/);
    expect((await run([cut("{")], { prompt: "Everything" })).error?.message).toMatch(/was cut off/);
  });

  it("that break the schema are repaired once, from the faults and the data", async () => {
    const wrong = { number: "4711", date: "2024-03-05", total: "much" };
    const { data, done, model } = await run([wrong, RIGHT], { schema: INVOICE });
    expect(data).toEqual({ number: "4711", date: "2024-03-05", total: 1234.5 });
    expect(done).toMatchObject({ status: "COMPLETED", validationErrors: [] });
    expect(userText(model.requests[1])).toContain("/total: must be number");
    expect(userText(model.requests[1])).toContain('"total":"much"');
    expect(model.requests).toHaveLength(2);
  });

  it("that still break the schema lose the faulty values, which are reported", async () => {
    const wrong = { number: "4711", date: "soon", total: 12, note: { text: "x" } };
    const { data, done, model } = await run([wrong, wrong], { schema: INVOICE });
    expect(data).toEqual({ number: "4711", total: 12 });
    expect(done?.status).toBe("PARTIAL");
    expect(done?.validationErrors).toEqual([
      { pointer: "/date", message: 'must match format "date"' },
      { pointer: "/note", message: "must be string" },
    ]);
    expect(model.requests).toHaveLength(2);
  });

  it("without required values report them", async () => {
    const { data, done, model } = await run([{ number: null, date: null, total: 12, note: null }], { schema: INVOICE });
    expect(data).toEqual({ total: 12 });
    expect(done?.status).toBe("PARTIAL");
    expect(done?.validationErrors).toEqual([{ pointer: "/number", message: "is required" }]);
    expect(userText(model.requests[1])).toContain("must not be invented");
  });

  it("are kept when the repair drops valid values", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" }, n: { type: "number" } },
    };
    const { data, done } = await run([{ a: "x", b: "y", n: "many" }, {}], { schema });
    expect(data).toEqual({ a: "x", b: "y" });
    expect(done?.validationErrors).toEqual([{ pointer: "/n", message: "must be number" }]);
  });

  it("of long data are repaired by their faults alone", async () => {
    const schema = {
      type: "object",
      properties: { lines: { type: "array", items: { type: "object", properties: { q: { type: "integer" } } } } },
    };
    const lines = Array.from({ length: 900 }, (_, q) => ({ q: q === 700 ? "seven" : q }));
    const { data, done, model } = await run(
      [
        { lines },
        {
          corrections: [
            { pointer: "/lines/700/q", stated: true, value: "7" },
            { pointer: "/lines/1/q", stated: true, value: "99" },
          ],
        },
      ],
      {
        schema,
        facts: { answerTokens: 6_000 },
        mode: "SIMPLE",
      },
    );
    expect(done?.status).toBe("COMPLETED");
    const got = (data as { lines: { q: number }[] }).lines;
    expect([got[700], got[1], got.length]).toEqual([{ q: 7 }, { q: 1 }, 900]);
    expect(userText(model.requests[1])).toContain('[{"pointer":"/lines/700/q","value":"seven"}]');
    expect(userText(model.requests[1])).not.toContain('"q":699');
  });

  it("fail the run when the root is invalid", async () => {
    const { error } = await run([["a"], "b"], { schema: INVOICE });
    expect(error?.message).toBe(
      "Processing failed: The model's answer does not fit the schema: the result must be object",
    );
  });
});
