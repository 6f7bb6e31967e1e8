import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { proseIn } from "../../../../../functions/engine/extraction/rules/running-prose.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import { viewDocument } from "../../../../../functions/engine/structure/view/document-view.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";

const proseOf = (page: PageMaker): string[] => {
  const { segments } = viewDocument(page.layout());
  return [...proseIn(segments).keys()].map(({ text }) => text);
};

const strings = (...names: string[]): Json => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});

const PARAGRAPH = [
  "The customer may end the term of this agreement at any time, and the",
  "supplier then returns what was paid in advance for the subject of the",
  "order. A tenant of the building is not a party to it.",
];

describe("proseIn", () => {
  it("finds the lines of paragraphs, the short last one too", () => {
    expect(proseOf(new PageMaker().lines(1, 1, PARAGRAPH))).toEqual(PARAGRAPH);
  });

  it.each([
    ["an address", ["Beta Trading Ltd", "12 High Street", "London W1B 5TH", "United Kingdom"]],
    ["labels and values", ["Invoice number: 12", "Date of issue: 12 May 2024", "Amount due: 12.00 EUR", "Customer: 7"]],
    ["a heading", ["Terms of Payment and Delivery"]],
  ])("takes %s for none", (_, lines) => {
    expect(proseOf(new PageMaker().lines(1, 1, lines))).toEqual([]);
  });
});

describe("a label among others of its kind", () => {
  it("takes no label of the same first word for its value", () => {
    const layout = new PageMaker().text(1, 4, "Signature landlord").text(4, 4, "Signature tenant").layout();
    const schema = strings("landlord");
    const { result } = extractOffline(layout, { schema: parseSchema(schema), granularity: "word" });
    expect(result).toEqual({ landlord: null });
  });
});

describe("a value behind a colon", () => {
  it("is no mark of an item where a count is asked", () => {
    const page = new PageMaker().lines(1, 1, ["We compare event types: (2) an encoder"]);
    const schema = { type: "object", properties: { event_types: { type: "integer" } } } satisfies Json;
    const { result } = extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "word" });
    expect(result).toEqual({ event_types: null });
  });
});

describe("a word inside a sentence", () => {
  it("is no label", () => {
    const layout = new PageMaker().lines(1, 1, PARAGRAPH).layout();
    const schema = strings("term", "subject", "tenant", "customer", "supplier");
    const { result } = extractOffline(layout, { schema: parseSchema(schema), granularity: "word" });
    expect(result).toEqual({ term: null, subject: null, tenant: null, customer: null, supplier: null });
  });

  it("is one at the head of a line below a sentence", () => {
    const lines = [
      "SECTION 1: Identification of the substance and of the company",
      "Project: Alpha 500",
      "Code: LC-500",
    ];
    const page = new PageMaker().lines(1, 1, lines);
    const { result } = extractOffline(page.layout(), { schema: parseSchema(strings("project")), granularity: "word" });
    expect(result).toEqual({ project: "Alpha 500" });
  });

  it("is one where it heads a sentence with a colon", () => {
    const page = new PageMaker().lines(1, 1, ["Subject: Repair of the lift in the house at the corner of the square"]);
    const { result } = extractOffline(page.layout(), { schema: parseSchema(strings("subject")), granularity: "word" });
    expect(result).toEqual({ subject: "Repair of the lift in the house at the corner of the square" });
  });
});

describe("a text value", () => {
  it.each<[string, (page: PageMaker) => void]>([
    ["the rest of a line", (page) => page.text(1, 1, "Project leader changes often")],
    ["a line of a paragraph", (page) => page.text(1, 1, "Project").lines(1, 1.2, PARAGRAPH)],
    ["the next label", (page) => page.text(1, 1, "Project").text(1, 1.2, "Customer:")],
    ["what goes on with the label", (page) => page.text(1, 1, "Project").text(1, 1.2, "identification number")],
  ])("is not %s", (_, draw) => {
    const page = new PageMaker();
    draw(page);
    const { result } = extractOffline(page.layout(), { schema: parseSchema(strings("project")), granularity: "word" });
    expect(result).toEqual({ project: null });
  });

  it("fills the cell beside or below its label", () => {
    const page = new PageMaker().text(1, 1, "Project").text(3, 1, "Alpha Tower");
    const { result } = extractOffline(page.layout(), { schema: parseSchema(strings("project")), granularity: "word" });
    expect(result).toEqual({ project: "Alpha Tower" });
  });
});

describe("labels of texts in a document of sentences", () => {
  const LINES = ["• Treasurer: Anna Berg", "1. Chair: Paul Stone", "Guests", "Minutes of last year"];
  const page = (): PageMaker => {
    const made = new PageMaker().lines(1, 1, PARAGRAPH);
    for (const [at, line] of LINES.entries()) made.text(1, 3 + at * 0.25, line);
    return made;
  };

  it("head lines with a number or a mark, and are no headings", () => {
    const schema = parseSchema(strings("treasurer", "chair", "guests"));
    expect(extractOffline(page().layout(), { schema, granularity: "word" }).result).toEqual({
      treasurer: "Anna Berg",
      chair: "Paul Stone",
      guests: null,
    });
  });
});
