import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import type { SourceLocation } from "../../../../../functions/engine/layout/source-locations.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import type { Layout, Word } from "../../../../../functions/ports/layout.ts";
import { PageMaker } from "../page.ts";
import { Random } from "../prng.ts";

const LABELS = [
  "Invoice No:",
  "Rechnungsnr.",
  "Date",
  "Due date:",
  "Total",
  "Nettobetrag",
  "MwSt. 19 %",
  "Bill to",
  "Kunde:",
  "IBAN",
  "Description",
  "Qty",
  "Unit price",
  "Amount",
  "Währung:",
  "E-Mail:",
  "Shoe size:",
  "Paid:",
  "From",
  "N° facture",
];
const VALUES = [
  "4711",
  "RE-2024/1",
  "12.05.2024",
  "March 3, 2024",
  "1.234,56 €",
  "$99.00",
  "Kunden AG Mitte",
  "Lindenweg 4",
  "12345 Berlin",
  "DE89 3704 0044 0532 0130 00",
  "a@b.example",
  "yes",
  "☑ Paid",
  "(7.67)",
  "19 %",
  "x",
  "–",
  ":",
  "Nr:7",
  "EUR",
  "…",
  "ﬁ",
  "Großer Text, der weiterläuft",
];
const NAMES = [
  "invoice_number",
  "issueDate",
  "due_date",
  "seller",
  "buyer",
  "currency",
  "net_total",
  "tax",
  "gross_total",
  "amount_due",
  "iban",
  "email",
  "shoe_size",
  "paid",
  "a/b",
  "x~y",
  "",
  "__proto__",
  "items",
  "rate",
];

function randomLayout(random: Random): Layout {
  const page = new PageMaker();
  for (let number = random.int(1, 3); number > 0; number -= 1) {
    for (let count = random.int(0, 40); count > 0; count -= 1) {
      const text = `${random.pick(LABELS)} ${random.next() < 0.6 ? random.pick(VALUES) : ""}`.trim();
      page.text(
        random.pick([0.5, 1, 3, 5, random.next() * 7]),
        random.int(1, 40) * 0.25 + random.next() * 0.02,
        random.next() < 0.4 ? random.pick(VALUES) : text,
        { size: random.pick([6, 8, 10, 14]), confidence: random.pick([1, 0.9, 0.4]) },
      );
    }
    if (number > 1) page.newPage();
  }
  return page.layout();
}

function randomSchema(random: Random, depth: number): Json {
  const kind = depth > 3 ? "scalar" : random.pick(["object", "object", "array", "scalar", "scalar", "ref", "odd"]);
  if (kind === "ref")
    return { $ref: random.pick(["#", "#/properties/seller", "#/$defs/none", "https://x.example/y", "#anchor"]) };
  if (kind === "odd")
    return random.pick<Json>([
      true,
      false,
      {},
      null,
      7,
      [],
      { type: [] },
      { enum: [] },
      { anyOf: [] },
      { type: "array" },
      { const: 5 },
      { type: "object" },
      { allOf: [true, 3] },
      { pattern: "(a+)+$" },
    ]);
  if (kind === "array") return { type: "array", items: randomSchema(random, depth + 1) };
  if (kind === "object") {
    const names = Array.from({ length: random.int(0, 7) }, () => random.pick(NAMES));
    return {
      type: random.pick<Json>(["object", ["object", "null"]]),
      properties: Object.fromEntries(names.map((name) => [name, randomSchema(random, depth + 1)])),
    };
  }
  const scalar: { [member: string]: Json } = {
    type: random.pick<Json>(["string", "number", "integer", "boolean", ["string", "null"], ["null", "number"]]),
  };
  if (random.next() < 0.2) scalar.format = random.pick(["date", "date-time", "email", "uri"]);
  if (random.next() < 0.1) scalar.enum = ["EUR", "paid", 7, true, null];
  if (random.next() < 0.1) scalar.pattern = "^[A-Z]{2}\\d+";
  if (random.next() < 0.1) scalar.description = "The total amount without tax";
  if (random.next() < 0.05) scalar["x-calculated"] = true;
  return scalar;
}

/** Pointers of all leaves; empty objects and lists are leaves. */
function leaves(value: Json, pointer = ""): string[] {
  if (typeof value !== "object" || value === null) return [pointer];
  const entries: [string, Json][] = Array.isArray(value)
    ? value.map((item, index) => [String(index), item])
    : Object.entries(value);
  if (entries.length === 0) return [pointer];
  return entries.flatMap(([name, item]) => leaves(item, `${pointer}/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`));
}

function valueAt(result: Json, pointer: string): Json {
  return pointer
    .split("/")
    .slice(1)
    .reduce<Json>((at, step) => {
      const name = step.replace(/~1/g, "/").replace(/~0/g, "~");
      return Array.isArray(at)
        ? (at[Number(name)] ?? null)
        : ((Object.entries(at as object).find(([key]) => key === name)?.[1] ?? null) as Json);
    }, result);
}

const wordsOf = (layout: Layout): Map<string, Word> =>
  new Map(
    layout.pages.flatMap((page) =>
      pageWords(page).map((word, index): [string, Word] => [`p${page.number}/w${index}`, word]),
    ),
  );

function expectEvidence(location: SourceLocation, value: Json, words: Map<string, Word>): void {
  expect(location.sourceRefs.length).toBeGreaterThan(0);
  expect(location.confidence).toBeGreaterThan(0);
  expect(location.confidence).toBeLessThanOrEqual(1);
  for (const reference of location.sourceRefs) {
    const word = words.get(reference);
    expect(word, reference).toBeDefined();
    if (word === undefined) continue;
    const anchor = location.pageAnchors.find((candidate) => reference.startsWith(`p${candidate.pageNumber}/`));
    expect(anchor?.bbox.left).toBeLessThanOrEqual(word.box.left);
    expect(anchor?.bbox.top).toBeLessThanOrEqual(word.box.top);
    expect(anchor?.bbox.right).toBeGreaterThanOrEqual(word.box.right);
    expect(anchor?.bbox.bottom).toBeGreaterThanOrEqual(word.box.bottom);
    expect(anchor?.polygons.length).toBeGreaterThan(0);
  }
  // Text comes from its words; nothing is made up.
  const text = location.sourceRefs
    .map((reference) => words.get(reference)?.text ?? "")
    .join("")
    .replace(/\s/g, "");
  const looksPrinted = typeof value === "string" && !/^\d{4}-\d{2}-\d{2}$|^[A-Z]{3}$|^paid$/.test(value);
  if (looksPrinted) expect(text).toContain(value.replace(/\s/g, ""));
}

describe("extractOffline on random layouts and schemas", () => {
  it.each(Array.from({ length: 12 }, (_, index) => index + 1))("holds its invariants, seed %i", (seed) => {
    const random = new Random(seed * 7919);
    for (let round = 0; round < 15; round += 1) {
      const layout = randomLayout(random);
      const schema = random.next() < 0.15 ? undefined : randomSchema(random, 0);
      const request = {
        granularity: random.pick(["auto", "block", "word"] as const),
        ...(schema === undefined ? {} : { schema: parseSchema(schema) }),
      };
      const first = extractOffline(layout, request);
      expect(JSON.stringify(extractOffline(layout, request))).toBe(JSON.stringify(first));
      const { result, sources, facts } = first;
      const listed = [...Object.keys(sources.locations), ...sources.unresolved.map(({ pointer }) => pointer)];
      expect([...listed].sort()).toEqual(leaves(result).sort());
      expect(facts).toMatchObject({
        found: Object.keys(sources.locations).length,
        unresolved: sources.unresolved.length,
      });
      const words = wordsOf(layout);
      for (const [pointer, location] of Object.entries(sources.locations)) {
        // The kind of document is told by its words, not quoted from them.
        expectEvidence(location, pointer === "/document_type" ? null : valueAt(result, pointer), words);
      }
      for (const { pointer, reason } of sources.unresolved)
        if (reason === "null-value") expect(valueAt(result, pointer)).toBeNull();
    }
  });
});
