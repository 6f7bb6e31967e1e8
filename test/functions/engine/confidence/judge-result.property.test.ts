import { describe, expect, it } from "vitest";
import { confidenceOf, type JudgeRequest, judgeResult } from "../../../../functions/engine/confidence/judge-result.ts";
import { SIGNAL_NAMES, SIGNALS, type Signals } from "../../../../functions/engine/confidence/signals.ts";
import { WEIGHTS } from "../../../../functions/engine/confidence/weights.ts";
import { extractOffline } from "../../../../functions/engine/extraction/rules/extract-offline.ts";
import { locateValues } from "../../../../functions/engine/grounding/locate-values.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";
import { PageMaker } from "../extraction/page.ts";
import { Random } from "../extraction/prng.ts";

const TEXTS =
  "Invoice no:|RE-17|Date|12.05.2024|Total|1.234,56 €|IBAN|DE89 3704 0044 0532 0130 00|Qty|7|☑ Paid|(7.67)|:|–|x|ﬁ|٣|Menge|Betrag|ACME Ltd|0".split(
    "|",
  );
const NAMES =
  "invoice_number|total|iban|net_total|tax|date|due_date|lines|qty|unit_price|amount|paid|__proto__|constructor|a/b~c||Größe|email".split(
    "|",
  );
const VALUES: Json[] = [
  ...TEXTS,
  17,
  -7.67,
  0,
  1234.56,
  1e308,
  -0,
  5e-324,
  true,
  false,
  null,
  "",
  " ",
  "2024-05-12",
  "2024-13-41",
  "DE89 3704 0044 0532 0130 01",
  "x".repeat(500),
  "\u0000",
  "\ud800",
  [],
  {},
];
const TYPES: Json[] = [
  { type: "string" },
  { type: "number" },
  { type: "string", format: "date" },
  { enum: ["a", 7] },
  { type: "boolean" },
  true,
  { type: "string", pattern: "^(a+)+$" },
  {},
];

function anyLayout(random: Random): Layout {
  const page = new PageMaker();
  for (let count = random.int(0, 40); count > 0; count -= 1) {
    const options = random.int(0, 3) === 0 ? { confidence: random.next() } : {};
    page.text(random.int(1, 14) / 2, random.int(2, 40) / 4, random.pick(TEXTS), options);
    if (random.int(0, 15) === 0) page.newPage();
  }
  return page.layout();
}

function anyResult(random: Random, depth: number): Json {
  const kind = depth === 0 ? 0 : random.int(0, 3);
  if (kind === 1) return Array.from({ length: random.int(0, 6) }, () => anyResult(random, depth - 1));
  if (kind >= 2)
    return Object.fromEntries(
      Array.from({ length: random.int(0, 6) }, () => [random.pick(NAMES), anyResult(random, depth - 1)]),
    );
  return random.pick(VALUES);
}

const anySchema = (random: Random): Json => ({
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: random.int(0, 6) }, () => [
      random.pick(NAMES),
      random.int(0, 3) === 0
        ? {
            type: "array",
            items: { type: "object", properties: { qty: random.pick(TYPES), amount: random.pick(TYPES) } },
          }
        : random.pick(TYPES),
    ]),
  ),
});

function anyJudging(random: Random): JudgeRequest {
  const layout = anyLayout(random);
  const schema = random.int(0, 1) === 0 ? undefined : parseSchema(anySchema(random));
  const result = anyResult(random, 4);
  const asked = schema === undefined ? {} : { schema };
  const { sources } = locateValues(layout, result, {
    granularity: random.pick(["word", "block", "auto"] as const),
    ...asked,
  });
  const second =
    random.int(0, 1) === 0 || schema === undefined
      ? {}
      : { second: extractOffline(layout, { schema, granularity: "word" }) };
  return { layout, result, sources, ...asked, ...second };
}

const anySignals = (random: Random): Signals =>
  Object.fromEntries(
    SIGNAL_NAMES.map((name) => [name, random.int(0, 2) === 0 ? random.next() : random.int(0, 1)]),
  ) as Signals;

describe("judgeResult, for random results", () => {
  it("gives confidences between 0 and 1 to all located and not found values, deterministically", () => {
    for (let seed = 1; seed <= 120; seed += 1) {
      const judging = anyJudging(new Random(seed));
      const judged = judgeResult(judging);
      const given = [
        ...Object.values(judged.sources.locations).map(({ confidence }) => confidence),
        ...judged.sources.unresolved
          .filter(({ reason }) => reason === "not-found")
          .map(({ confidence }) => confidence ?? Number.NaN),
        ...(judged.confidence === null ? [] : [judged.confidence]),
      ];
      expect(
        given.every((one) => one >= 0 && one <= 1),
        `seed ${seed}`,
      ).toBe(true);
      expect(Object.keys(judged.sources.locations)).toEqual(Object.keys(judging.sources.locations));
      expect(judged.sources.unresolved.map(({ pointer, reason }) => `${reason} ${pointer}`)).toEqual(
        judging.sources.unresolved.map(({ pointer, reason }) => `${reason} ${pointer}`),
      );
      if (seed % 10 === 0) expect(judgeResult(anyJudging(new Random(seed)))).toEqual(judged);
    }
  });

  it("gives a message for every failed check, with pointers of existing values", () => {
    for (let seed = 300; seed <= 350; seed += 1) {
      const judging = anyJudging(new Random(seed));
      for (const { message, pointers, ok } of judgeResult(judging).failed) {
        expect(ok).toBe(false);
        expect(message).toMatch(/^\S.*\.$/su);
        expect(message.length).toBeLessThan(300);
        const known = new Set([
          ...Object.keys(judging.sources.locations),
          ...judging.sources.unresolved.map(({ pointer }) => pointer),
        ]);
        expect(pointers.filter((pointer) => !known.has(pointer))).toEqual([]);
      }
    }
  });

  it("raises confidence by signals for a value and lowers it by signals against it", () => {
    for (const name of SIGNAL_NAMES)
      for (const { weights } of Object.values(WEIGHTS))
        if (SIGNALS[name] !== 0) expect([name, (weights[name] ?? 0) * SIGNALS[name] >= 0]).toEqual([name, true]);
    const random = new Random(7);
    for (let count = 0; count < 2_000; count += 1) {
      const signals = anySignals(random);
      const name = random.pick(SIGNAL_NAMES);
      const more = { ...signals, [name]: Math.min(1, signals[name] + random.next()) };
      const readBy = random.pick(["model", "rules"] as const);
      const change = confidenceOf(more, readBy) - confidenceOf(signals, readBy);
      if (SIGNALS[name] > 0) expect(change).toBeGreaterThanOrEqual(0);
      if (SIGNALS[name] < 0) expect(change).toBeLessThanOrEqual(0);
    }
  });

  it("never raises confidence by failed check digits", () => {
    const random = new Random(11);
    let failures = 0;
    for (let count = 0; count < 40; count += 1) {
      const digits = String(random.int(1_000_000, 9_999_999));
      // Page, value and place are equal: the fields differ only in whether they ask for a number with check digits.
      const value = `DE12 3456 7890 ${digits}`;
      const layout = new PageMaker().text(1, 1, "Code:").text(2, 1, value).layout();
      const of = (description: string) => {
        const code = { type: "string", title: "Code", description };
        const schema = parseSchema({ type: "object", properties: { code } });
        const { sources } = locateValues(layout, { code: value }, { schema, granularity: "word" });
        const judged = judgeResult({ layout, result: { code: value }, schema, sources });
        return {
          failed: judged.failed.length,
          confidence: judged.sources.locations["/code"]?.confidence ?? Number.NaN,
        };
      };
      const [checked, plain] = [of("IBAN"), of("Whatever the letterhead says")];
      expect(plain.failed).toBe(0);
      failures += checked.failed;
      if (checked.failed > 0) expect(checked.confidence).toBeLessThanOrEqual(plain.confidence);
    }
    expect(failures).toBeGreaterThan(20);
  });
});
