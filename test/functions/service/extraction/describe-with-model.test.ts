import { describe, expect, it } from "vitest";
import { describeFigure } from "../../../../functions/service/extraction/describe-figure.ts";
import {
  analyzeWithModel,
  generateSchemaWithModel,
  summarizeWithModel,
} from "../../../../functions/service/extraction/describe-with-model.ts";
import { callsOf, cut, layoutOf, type Script, scriptedModel, text } from "./model-support.ts";

const image = { mimeType: "image/png" as const, bytes: new Uint8Array([9]) };
const SCHEMA = { type: "object", properties: { total: { type: "number", description: "Sum" } } };

const make = (script: Script, facts = {}) => {
  const model = scriptedModel(script, facts);
  return { model, ...callsOf(model) };
};

describe("describeFigure", () => {
  it("describes a figure from its picture, its caption and the text around it", async () => {
    const { calls, model } = make([text("  A bar chart\nof sales. ")], { takesImages: true });
    expect(await describeFigure(calls, { image, caption: "Fig. 1 Sales", text: "2023 2024" })).toBe(
      "A bar chart of sales.",
    );
    expect(model.requests[0]?.messages[1]).toMatchObject({ images: [image] });
    expect(model.asked(0)).toContain("Fig. 1 Sales");
    expect(model.requests[0]?.format).toEqual({ kind: "text" });
  });

  it("gives null without a picture model or an answer, and cuts long descriptions visibly", async () => {
    expect(await describeFigure(make([text("x")]).calls, { image, caption: "", text: "" })).toBeNull();
    expect(
      await describeFigure(make([text(" ")], { takesImages: true }).calls, { image, caption: "", text: "" }),
    ).toBeNull();
    expect(
      await describeFigure(make([cut("A chart of")], { takesImages: true }).calls, { image, caption: "", text: "" }),
    ).toBe("A chart of…");
  });
});

describe("analyzeWithModel", () => {
  it("gives a document's type, and suggests a prompt and a valid schema", async () => {
    const answer = {
      document_type: "invoice",
      language: "en",
      suggested_prompt: "Extract the total",
      suggested_schema: JSON.stringify(SCHEMA),
    };
    const { calls, engine, limits, model } = make([answer]);
    expect(await analyzeWithModel(layoutOf(["Invoice"], ["Page 2"]), { calls, engine }, limits)).toEqual({
      document_type: "invoice",
      language: "en",
      pages: 2,
      suggested_prompt: "Extract the total",
      suggested_schema: SCHEMA,
    });
    expect(model.asked(0)).not.toContain("are shown");
  });

  it("leaves out an invalid schema, and fails without JSON", async () => {
    const by = make([{ document_type: null, language: "en", suggested_prompt: " ", suggested_schema: '{"type": 7}' }]);
    expect(await analyzeWithModel(layoutOf(["x"]), by, by.limits)).toMatchObject({
      document_type: null,
      suggested_prompt: null,
      suggested_schema: null,
    });
    const none = make([text("An invoice.")]);
    await expect(analyzeWithModel(layoutOf(["x"]), none, none.limits)).rejects.toThrow("not valid JSON");
  });

  it("tells the model when it gets only the first pages", async () => {
    const by = make([{ document_type: "report", language: "en", suggested_prompt: null, suggested_schema: null }], {
      contextTokens: 4_000,
    });
    const layout = layoutOf(
      ...Array.from({ length: 30 }, () => Array.from({ length: 20 }, () => "a line of words that fill the page")),
    );
    expect((await analyzeWithModel(layout, by, by.limits)).pages).toBe(30);
    expect(by.model.asked(0)).toMatch(/The document has 30 pages; \d+ of them are shown\./);
    const tiny = make([{}], { contextTokens: 200 });
    await expect(analyzeWithModel(layout, tiny, tiny.limits)).rejects.toThrow(
      "The first page of the document is too long",
    );
  });
});

describe("generateSchemaWithModel", () => {
  it("gives a JSON Schema, and repeats the request for an invalid one", async () => {
    const by = make([SCHEMA]);
    expect(await generateSchemaWithModel(layoutOf(["Invoice"]), "only totals", by, by.limits)).toEqual(SCHEMA);
    expect(by.model.asked(0)).toContain("only totals");
    const again = make([{ type: "object", properties: { a: { type: "strin" } } }, SCHEMA]);
    expect(await generateSchemaWithModel(layoutOf(["Invoice"]), "", again, again.limits)).toEqual(SCHEMA);
    expect(again.model.requests[1]?.messages.at(-1)?.text).toMatch(
      /no JSON Schema that can be used: \/properties\/a\/type/,
    );
  });

  it.each([
    ["prose", text("a schema")],
    ["an endless reference", { $ref: "#" }],
    ["a pattern that cannot be used", { type: "string", pattern: "(" }],
  ])("fails with one sentence after two invalid schemas: %s", async (_, reply) => {
    const by = make([reply]);
    await expect(generateSchemaWithModel(layoutOf(["x"]), "", by, by.limits)).rejects.toThrow(
      /^Processing failed: The model did not write a JSON Schema that can be used: /,
    );
    expect(by.model.requests).toHaveLength(2);
  });
});

describe("summarizeWithModel", () => {
  const answer = { document_type: "contract", title: "Lease", summary: "A lease.", key_facts: ["Rent: 900", " ", 7] };

  it("gives the model's summary, with its facts that are texts", async () => {
    const by = make([answer]);
    expect(await summarizeWithModel(layoutOf(["Lease"], ["Rent: 900"]), by, by.limits)).toEqual({
      ...answer,
      key_facts: ["Rent: 900"],
    });
    expect(by.model.asked(0)).toContain("Rent: 900");
  });

  it("shortens a long one, and stands for what is missing", async () => {
    const by = make([{ summary: "word ".repeat(2_000), key_facts: "none" }]);
    const summary = await summarizeWithModel(layoutOf(["x"]), by, by.limits);
    expect(summary).toMatchObject({ document_type: "other", title: "", key_facts: [] });
    expect(summary.summary.length).toBeLessThanOrEqual(2_000);
  });

  it("fails without JSON", async () => {
    const by = make([text("It is a lease.")]);
    await expect(summarizeWithModel(layoutOf(["x"]), by, by.limits)).rejects.toThrow("not valid JSON");
  });
});
