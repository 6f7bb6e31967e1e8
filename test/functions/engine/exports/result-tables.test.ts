/** JSON as tables: what a reader of a spreadsheet expects, and nothing that it would run. */
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { csvOf } from "../../../../functions/engine/exports/csv-file.ts";
import { MAX_CELLS, MAX_COLUMNS, tablesOf } from "../../../../functions/engine/exports/result-tables.ts";
import { writeTables } from "../../../../functions/engine/exports/write-tables.ts";
import { xlsxOf } from "../../../../functions/engine/exports/xlsx-file.ts";
import { encodeJson, type Json } from "../../../../functions/ports/json.ts";
import {
  type BatchTableEntry,
  batchDocuments,
  tableFileName,
} from "../../../../functions/service/lifecycle/views/table-files.ts";

const tables = (value: Json) => tablesOf([{ lead: [], value }]);
const csv = (value: Json, mark = false): string => {
  const [main] = tables(value);
  if (main === undefined) throw new Error("There is always a main table");
  return Buffer.from(csvOf(main, { mark })).toString("utf8");
};

const sheetsOf = (workbook: Uint8Array): string[] =>
  [
    ...Buffer.from(unzipSync(workbook)["xl/workbook.xml"] ?? [])
      .toString("utf8")
      .matchAll(/<sheet [^>]*?name="([^"]+)"/g),
  ].map(([, name]) => name ?? "");

const INVOICE = {
  number: "SH-1",
  seller: { name: "Müller, Söhne", city: "Köln" },
  tags: ["red", "blue"],
  items: [
    { sku: "A", quantity: 2 },
    { sku: "B", note: "late", quantity: null },
    { sku: "C", quantity: 1 },
  ],
  taxes: [{ rate: 7 }, { rate: 19 }],
  paid: true,
};

describe("tablesOf", () => {
  it("makes one row of scalars without a list", () => {
    expect(tables({ a: 1, b: { c: "x", d: { e: null } }, f: [] })).toEqual([
      { path: "", columns: ["a", "b.c", "b.d.e"], rows: [[1, "x", null]] },
    ]);
    expect(tables("text")).toEqual([{ path: "", columns: ["value"], rows: [["text"]] }]);
    expect(tables([1, 2])).toEqual([{ path: "", columns: ["value"], rows: [[1], [2]] }]);
    expect(tables([])).toEqual([{ path: "", columns: [], rows: [[]] }]);
    expect(tables({ "a.b": 1, a: { b: 2 } })[0]?.columns).toEqual(['"a.b"', "a.b"]);
    expect(JSON.stringify(tables(JSON.parse('{"__proto__": {"x": 1}, "": 2}')))).toContain("__proto__.x");
  });

  it("repeats the scalars around a list, longest list first, columns in reading order", () => {
    const head = ["SH-1", "Müller, Söhne", "Köln", "red; blue", true];
    expect(tables(INVOICE)).toEqual([
      {
        path: "items",
        columns: ["number", "seller.name", "seller.city", "tags", "paid", "items.sku", "items.note", "items.quantity"],
        rows: [
          [...head, "A", null, 2],
          [...head, "B", "late", null],
          [...head, "C", null, 1],
        ],
      },
      {
        path: "taxes",
        columns: ["number", "seller.name", "seller.city", "tags", "paid", "taxes.rate"],
        rows: [
          [...head, 7],
          [...head, 19],
        ],
      },
    ]);
  });

  it("follows nested lists, and keeps objects with empty lists in place", () => {
    const statements = [
      { day: "1", lines: [{ x: 1 }, { x: 2 }] },
      { day: "2", lines: [] },
      { day: "3", lines: [{ x: 3 }] },
    ];
    expect(tables({ bank: "B", statements })).toEqual([
      {
        path: "statements.lines",
        columns: ["bank", "statements.day", "statements.lines.x"],
        rows: [
          ["B", "1", 1],
          ["B", "1", 2],
          ["B", "2", null],
          ["B", "3", 3],
        ],
      },
    ]);
  });

  it("reads a list of lists as rows of cells", () => {
    const rows = [
      ["h", "k"],
      ["x", 2],
    ];
    expect(tables({ tables: [{ page: 1, rows }] })).toEqual([
      {
        path: "tables.rows",
        columns: ["tables.page", "tables.rows.1", "tables.rows.2"],
        rows: [
          [1, "h", "k"],
          [1, "x", 2],
        ],
      },
    ]);
    expect(tables(rows)[0]).toEqual({ path: "", columns: ["1", "2"], rows });
  });

  it("refuses more cells or columns than a spreadsheet takes, fast", () => {
    const wide = Object.fromEntries(Array.from({ length: MAX_COLUMNS + 1 }, (_, index) => [`c${index}`, index]));
    const deep = Array.from({ length: 5000 }).reduce<Json>((inner) => ({ inner }), 1);
    const nested = Array.from({ length: 5000 }).reduce<Json>((inner) => [inner, 1], 1);
    // Few bytes, but each of many rows would repeat each of many scalars.
    const product = { ...Object.fromEntries(Object.entries(wide).slice(0, 5000)), rows: Array(5000).fill({ x: 1 }) };
    const start = performance.now();
    for (const value of [wide, deep, nested, product, Array(MAX_CELLS + 1).fill(1)]) {
      expect(() => tables(value)).toThrow(expect.objectContaining({ kind: "UnprocessableEntity" }));
    }
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe("csvOf", () => {
  it("writes RFC 4180: quotes where needed, CRLF, plain numbers", () => {
    expect(csv([{ a: 'say "hi"', b: "x,y", c: -1.5, d: "two\nlines", e: false, f: null }])).toBe(
      'a,b,c,d,e,f\r\n"say ""hi""","x,y",-1.5,"two\nlines",false,\r\n',
    );
    expect(csv({ ä: "ö" }, true)).toBe("\ufeffä\r\nö\r\n");
  });

  it("disarms formulas in values and names", () => {
    const wicked = ["=1+1", "+1-1", "-1+1", "@SUM(A1)", "＝1+1", "=cmd|' /C calc'!A0", "-", "+x"];
    const line = "'=1+1,'+1-1,'-1+1,'@SUM(A1),'＝1+1,\"'=cmd|' /C calc'!A0\",'-,'+x\r\n";
    expect(csv(Object.fromEntries(wicked.map((text) => [text, text])))).toBe(line + line);
    expect(csv({ a: "-12.50", b: "+3,5%", c: "a=b", d: " =1" })).toBe(
      '"a","b","c","d"\r\n"-12.50","+3,5%","a=b"," \'=1"\r\n',
    );
  });
});

describe("xlsxOf", () => {
  it("writes a sheet per table, with typed texts, numbers and days", async () => {
    const bytes = await xlsxOf(tables({ ...INVOICE, formula: "=1+1", day: "2026-01-31", no_day: "2026-02-31" }));
    const parts = unzipSync(bytes);
    const part = (name: string): string => Buffer.from(parts[name] ?? []).toString("utf8");
    expect(sheetsOf(bytes)).toEqual(["items", "taxes"]);
    const sheet = part("xl/worksheets/sheet1.xml");
    expect(sheet).not.toContain("<f>");
    expect(sheet).toMatch(/<c r="J2" s="\d+"><v>46053<\/v><\/c>|<c r="[A-Z]+2"[^>]*><v>46053<\/v>/);
    expect(part("xl/sharedStrings.xml")).toContain("=1+1");
    expect(part("xl/sharedStrings.xml")).toContain("2026-02-31");
  });

  it("gives sheets valid and unique names", async () => {
    const long = "x".repeat(40);
    const names = ["a/b", "a?b", "History", long, `y${long}`, "'quoted'"];
    const bytes = await xlsxOf(tables(Object.fromEntries(names.map((name) => [name, [{ v: 1 }]]))));
    expect(sheetsOf(bytes)).toEqual(["a_b", "a_b 2", "History 2", "x".repeat(31), `${"x".repeat(29)} 2`, "_quoted_"]);
  });

  it("cuts overlong texts, and accepts characters that XML forbids", async () => {
    const bytes = await xlsxOf(tables({ long: `${"€".repeat(40_000)}`, odd: "a\u0000b\ud800c😀" }));
    const strings = Buffer.from(unzipSync(bytes)["xl/sharedStrings.xml"] ?? []).toString("utf8");
    expect(strings).toContain(`${"€".repeat(32_766)}…`);
    expect(strings).toMatch(/ab.?c😀/u);
  });
});

describe("a batch", () => {
  it("is one table of all rows with their sources", async () => {
    async function* entries(): AsyncGenerator<BatchTableEntry> {
      const sku = [{ sku: "A" }, { sku: "B" }];
      yield { index: 0, fileName: "one.pdf", value: encodeJson({ total: 1, items: sku }) };
      yield { index: 1, fileName: null, value: encodeJson("Processing failed: Document appears to be corrupted") };
      yield { index: 2, fileName: "=three.pdf", value: encodeJson({ total: 3 }) };
      yield { index: 3, fileName: "four.pdf", value: encodeJson(null) };
      yield { index: 4, fileName: "five.pdf", value: encodeJson([{ total: 5 }, { total: 6 }]) };
    }
    const documents = await batchDocuments(entries());
    expect(
      Buffer.from(await writeTables(documents, "csv"))
        .toString("utf8")
        .split("\r\n"),
    ).toEqual([
      "source,message,total,items.sku",
      "one.pdf,,1,A",
      "one.pdf,,1,B",
      "document 2,Processing failed: Document appears to be corrupted,,",
      "'=three.pdf,,3,",
      "four.pdf,,,",
      "five.pdf,,5,",
      "five.pdf,,6,",
      "",
    ]);
    expect(Buffer.from((await writeTables(documents, "xlsx")).subarray(0, 2))).toEqual(Buffer.from("PK"));
  });

  it("is saved under the document's name, like any table", () => {
    expect(tableFileName("Rechnung 7.pdf", "g", "xlsx")).toBe("Rechnung 7.xlsx");
    expect(tableFileName("v1.final version", "g", "csv-mark")).toBe("v1.final version.csv");
    expect(tableFileName(null, "g", "csv")).toBe("g.csv");
    expect(tableFileName(".pdf", "g", "csv")).toBe("g.csv");
  });
});
