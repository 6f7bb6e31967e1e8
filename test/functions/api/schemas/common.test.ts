/** Parts of request schemas: what they take is what the OpenAPI document says. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { flagParameter, integer, openapiOf, pageListParameter } from "../../../../functions/api/schemas/common.ts";
import { Tools } from "../../../../functions/api/schemas/tools.ts";

const ajv = new Ajv2020({ strict: false });

describe("an integer of a body", () => {
  const bounds: [minimum: number, maximum: number][] = [
    [0, 9],
    [1, 2],
    [1, 100],
    [0, 9_999],
    [1, 10_000],
    [1, 255],
    [-1, 120],
    [1, Number.MAX_SAFE_INTEGER],
  ];
  it.each(bounds)("from %i to %i is taken as a number and as its digits, as the document says", (minimum, maximum) => {
    const schema = integer("no", minimum, maximum);
    const documented = ajv.compile(openapiOf(schema));
    const least = minimum < 0 ? -maximum : minimum;
    const numbers = [-256, -121, -120, -2, -1, 0, 1, 2, 3, 9, 10, 19, 99, 100, 101, 199, 249, 254, 255, 256, 300];
    for (const number of [...numbers, 999, 9_998, 9_999, 10_000, 10_001, 19_999, 123_456_789_012_345]) {
      const fits = number >= least && number <= maximum;
      for (const given of [number, String(number), ` ${number} `]) {
        const parsed = schema.safeParse(given);
        expect([parsed.success, parsed.data], String(given)).toEqual([fits, fits ? number : undefined]);
        expect(documented(given), `documented ${given}`).toBe(fits);
      }
    }
    for (const given of [1.5, "1.5", "", " ", "01", "+1", "1 1", " 0x1", "0x1", "1e1", true, null, [1], {}]) {
      expect([schema.safeParse(given).success, documented(given)], JSON.stringify(given)).toEqual([false, false]);
    }
  });
});

describe("a parameter of a query", () => {
  const flag = flagParameter();
  const pages = pageListParameter();
  const rows: [string, typeof flag | typeof pages, string[], string[]][] = [
    ["a flag", flag, ["true", "True", "1", "YES", "false", "0", "no", ""], [" ", "2", "truer", "on", "null"]],
    ["pages", pages, ["1", "1-3,7", " 2 - 3 , 9", "007"], ["", "0", "1-", "1,,2", "1000000", "a", "1\u00a0"]],
  ];
  it.each(rows)("is taken as the document says: %s", (_name, schema, good, bad) => {
    const documented = ajv.compile(openapiOf(schema));
    for (const text of good) expect([schema.safeParse(text).success, documented(text)], text).toEqual([true, true]);
    for (const text of bad) expect([schema.safeParse(text).success, documented(text)], text).toEqual([false, false]);
  });
});

describe("tools", () => {
  const documented = ajv.compile(openapiOf(Tools));
  const type = "KNOWLEDGE_BASE_SEARCH";
  const rows: [unknown, boolean][] = [
    [[{ type, config: { caseId: 7, topK: 5 } }], true],
    [[{ type: "knowledge-base-search", config: { knowledgeBaseId: "7" } }], true],
    [[{ type, caseId: "7", topK: "50" }], true],
    [[], true],
    [[{ type }], false],
    [[{ type, caseId: null }], false],
    [[{ type, config: {} }], false],
    [[{ type: "RECORDS_SEARCH", caseId: 7 }], false],
    [[{ type, caseId: "seven" }], false],
    [[{ type, caseId: 7, topK: 51 }], false],
    [[7], false],
  ];
  it.each(rows)("%j are taken as the document says", (tools, valid) => {
    expect([Tools.safeParse(tools).success, documented(tools)]).toEqual([valid, valid]);
  });
});
