import { describe, expect, it } from "vitest";
import { JobFailure, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { manualClock } from "../../../support/clock.ts";
import { directEngine, fakeEngine } from "../../../support/engines.ts";
import { decode, layoutOf, run, scanOf } from "./model-support.ts";

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

describe("extraction in one pass", () => {
  it("gives the model's data in the schema's shape", async () => {
    const { done, data, model } = await run([{ number: 4711, date: "5 March 2024", total: "1.234,50 €", note: null }], {
      schema: INVOICE,
    });
    expect(data).toEqual({ number: "4711", date: "2024-03-05", total: 1234.5 });
    expect(done).toMatchObject({ status: "COMPLETED", validationErrors: [], engine: "test-model", mode: "SIMPLE" });
    expect(done?.uses).toEqual([
      {
        tier: "DEFAULT",
        providerKey: "openai:test-model",
        model: "served-model",
        promptTokens: 100,
        completionTokens: 10,
      },
    ]);
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]).toMatchObject({
      tier: "DEFAULT",
      temperature: 0,
      format: { kind: "json", schema: { type: "object" } },
    });
    expect(model.requests[0]?.maxTokens).toBe(16_000);
  });

  it("gives free JSON for a prompt without a schema", async () => {
    const { data, model } = await run([{ anything: ["goes"] }], { prompt: "Who is the seller?" });
    expect(data).toEqual({ anything: ["goes"] });
    expect(model.requests[0]?.format).toEqual({ kind: "json", name: "extraction" });
    expect(model.asked(0)).toContain("Who is the seller?");
    const { error } = await run([["not", "an", "object"]], { prompt: "Who?" });
    expect(error?.message).toBe(
      "Processing failed: The model's answer does not fit the schema: the result must be object",
    );
  });

  it("gives the general result without a schema and a prompt", async () => {
    const { data, done } = await run([
      {
        document_type: "invoice",
        language: "en",
        key_values: [
          { key: "Date", value: "5 March 2024" },
          { key: "Total", value: "1.234,50 €" },
        ],
        tables: [
          {
            page: 1,
            rows: [
              ["a", "b"],
              ["1", null],
            ],
          },
        ],
      },
    ]);
    expect(done?.status).toBe("COMPLETED");
    expect(data).toEqual({
      document_type: "invoice",
      language: "en",
      key_values: { Date: "5 March 2024", Total: "1.234,50 €" },
      tables: [
        {
          page: 1,
          rows: [
            ["a", "b"],
            ["1", null],
          ],
        },
      ],
    });
  });

  it("unwraps data that is not an object", async () => {
    const schema = { type: "array", items: { type: "string" } };
    const { data, model } = await run([{ result: ["a", "b"] }], { schema });
    expect(data).toEqual(["a", "b"]);
    expect(model.requests[0]?.format).toMatchObject({
      schema: { properties: { result: { type: "array" } }, required: ["result"] },
    });
    expect((await run([["a"]], { schema })).data).toEqual(["a"]);
  });

  it("fills calculated fields afterwards, and does not request them", async () => {
    const schema = {
      type: "object",
      properties: {
        net: { type: "number" },
        gross: {
          type: "number",
          "x-docudevs": { fieldType: "calculated", formula: { lang: "excel", expression: "ROUND({net} * 1.19, 2)" } },
        },
      },
      required: ["net", "gross"],
      additionalProperties: false,
    };
    const { data, done, model } = await run([{ net: 100 }], { schema });
    expect(data).toEqual({ net: 100, gross: 119 });
    expect(done?.status).toBe("COMPLETED");
    expect(model.asked(0)).not.toContain("gross");
  });

  it("passes the command's options on to the model", async () => {
    const { model } = await run([RIGHT], {
      schema: INVOICE,
      prompt: "Only the second invoice",
      date: "2026-01-02",
      findings: "EAN-13 4006381333931",
      reasoningEffort: "low",
    });
    expect(model.asked(0)).toContain("Today's date is 2026-01-02.");
    expect(model.asked(0)).toContain("Only the second invoice");
    expect(model.asked(0)).toContain("EAN-13 4006381333931");
    expect(model.requests[0]?.reasoningEffort).toBe("low");
    expect((await run([RIGHT], { schema: INVOICE })).model.asked(0)).not.toContain("Today's date");
  });

  it("sends only the pages of the range", async () => {
    const layout = layoutOf(["first page"], ["second page"], ["third page"]);
    const { model } = await run([RIGHT], { schema: INVOICE, layout, pageRange: [2, 9] });
    expect(model.asked(0)).toContain("second page");
    expect(model.asked(0)).not.toMatch(/first page|third page/);
  });
});

describe("extractWithModel", () => {
  it("refuses a document that is too long for one request only where one is asked for, without a request", async () => {
    const layout = layoutOf(
      ...Array.from({ length: 40 }, () =>
        Array.from({ length: 60 }, (_, at) => `line ${at} of a long page with words`),
      ),
    );
    const { error, model } = await run([RIGHT], {
      schema: INVOICE,
      layout,
      mode: "SIMPLE",
      facts: { contextTokens: 16_000, answerTokens: 4_000 },
    });
    expect(error?.message).toMatch(
      /^Processing failed: The document is too long for the model: about \d{2},\d{3} tokens of at most 1\d,\d{3}; ask for STEPS, choose pages by pageRange, or allow mapReduce$/,
    );
    expect(model.requests).toHaveLength(0);
    const one = await run([RIGHT], {
      schema: INVOICE,
      layout,
      pageRange: [3],
      facts: { contextTokens: 16_000, answerTokens: 4_000 },
    });
    expect(one.done?.status).toBe("COMPLETED");
  });

  it("makes no request for pages without text, unless the model takes pictures", async () => {
    const layout = layoutOf(["first page"], []);
    for (const pageRange of [[2], [7]]) {
      const { error, model } = await run([RIGHT], { schema: INVOICE, layout, pageRange });
      expect(error?.message).toBe("Processing failed: Text extraction failed");
      expect(model.requests).toHaveLength(0);
    }
    const image = { mimeType: "image/png" as const, bytes: new Uint8Array([1]) };
    const seen = await run([RIGHT], {
      schema: INVOICE,
      layout,
      pageRange: [2],
      facts: { takesImages: true },
      pictureOf: async () => image,
    });
    expect(seen.model.requests[0]?.messages[1]).toHaveProperty("images", [image]);
  });

  it("names a schema's fault before any request", async () => {
    for (const [schema, reason] of [
      [{ type: "string", pattern: "(a)\\1" }, "has a pattern that cannot be used"],
      [{ $ref: "#" }, "refers to itself without end"],
      [
        { $ref: "https://elsewhere.example/schema.json" },
        "refers to https://elsewhere.example/schema.json, which is not part of it",
      ],
    ] as const) {
      const { error, model } = await run([RIGHT], { schema });
      expect(error?.message).toContain(`Processing failed: The schema ${reason}`);
      expect(model.requests).toHaveLength(0);
    }
  });

  it("ends between calls past the deadline", async () => {
    const clock = manualClock();
    const { error, model } = await run(
      () => {
        clock.advance(301_000);
        return { number: 1 };
      },
      { schema: INVOICE, clock },
    );
    expect(error).toBeInstanceOf(JobFailure);
    expect(error?.message).toBe("Processing timeout after 300 seconds");
    expect(model.requests).toHaveLength(1);
  });

  it("throws only AppErrors", async () => {
    const broken = await run(
      () => {
        throw new TypeError("secret internals");
      },
      { schema: INVOICE },
    );
    expect(broken.error).toMatchObject({
      kind: "InternalServerError",
      message: "The extraction made an error",
      cause: expect.any(TypeError),
    });
    const down = await run(
      () => {
        throw new ServiceUnavailable("No model");
      },
      { schema: INVOICE },
    );
    expect(down.error).toBeInstanceOf(ServiceUnavailable);
    const ended = async () => Promise.reject(new JobFailure("Processing failed: ended"));
    const engine = fakeEngine({ concludeData: ended }, directEngine);
    expect((await run([RIGHT], { schema: INVOICE, engine })).error?.message).toBe("Processing failed: ended");
  });
});

describe("pictures of scanned pages", () => {
  const image = { mimeType: "image/png" as const, bytes: new Uint8Array([1, 2, 3]) };
  const layout = scanOf(["Invoice 4711"], ["more"]);

  it("are sent to models that take pictures", async () => {
    const drawn: number[] = [];
    const { model, calls } = await run([RIGHT], {
      schema: INVOICE,
      layout,
      facts: { takesImages: true },
      pictureOf: async (number) => {
        drawn.push(number);
        return image;
      },
    });
    expect(drawn).toEqual([1, 2]);
    const user = model.requests[0]?.messages[1];
    expect(user).toMatchObject({ role: "user", images: [image, image] });
    expect(user?.text).toContain("in this order, the pages 1, 2");
    expect(JSON.stringify(decode(calls.trace.toJson("COMPLETED")))).toContain("[image/png, 3 bytes]");
  });

  it("are not sent to other models, nor for pages with text, nor beyond the model's context", async () => {
    const pictureOf = async () => image;
    expect(
      (await run([RIGHT], { schema: INVOICE, layout, pictureOf })).model.requests[0]?.messages[1],
    ).not.toHaveProperty("images");
    const clean = await run([RIGHT], { schema: INVOICE, facts: { takesImages: true }, pictureOf });
    expect(clean.model.requests[0]?.messages[1]).not.toHaveProperty("images");
    const many = scanOf(...Array.from({ length: 12 }, () => ["scan"]));
    const { model } = await run([RIGHT], { schema: INVOICE, layout: many, facts: { takesImages: true }, pictureOf });
    expect(model.requests[0]?.messages[1]).toHaveProperty("images.length", 8);
  });

  it("may be missing", async () => {
    const { done, calls } = await run([RIGHT], {
      schema: INVOICE,
      layout,
      facts: { takesImages: true },
      pictureOf: () => Promise.reject(new JobFailure("Processing failed: Document appears to be corrupted")),
    });
    expect(done?.status).toBe("COMPLETED");
    expect(JSON.stringify(decode(calls.trace.toJson("COMPLETED")))).toContain("picture of page 1");
  });
});
