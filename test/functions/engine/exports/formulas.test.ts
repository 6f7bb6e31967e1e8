/** No program, in no locale, finds a formula in an exported table. */
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { csvOf } from "../../../../functions/engine/exports/csv-file.ts";
import { guardFormulas } from "../../../../functions/engine/exports/formula-guard.ts";
import type { Scalar, Table } from "../../../../functions/engine/exports/result-tables.ts";
import { xlsxOf } from "../../../../functions/engine/exports/xlsx-file.ts";
import { Random } from "../extraction/prng.ts";
import { cellsOf, PROGRAMS, runsAsFormula } from "./spreadsheet-model.ts";

const PIECES = [
  ..."=+-@＝＋－＠﹣⁻;,|\t\r\n\"' \v\0\u00a0\u2028\ufeff\u200b؛،x1%",
  "-12.50",
  "+49",
  "a;-5",
  '""',
  "\r\n",
  "1+cmd|' /C calc'!A0",
  "=HYPERLINK(A1)",
];

const someText = (random: Random): string =>
  Array.from({ length: random.int(0, 6) }, () => random.pick(PIECES)).join("");

function someCell(random: Random): Scalar {
  const kind = random.int(0, 9);
  if (kind === 0) return null;
  if (kind === 1) return random.pick([-5, -12.5, 7, 0, -1e-7]);
  if (kind === 2) return random.pick([true, false]);
  return someText(random);
}

function someTable(random: Random): Table {
  const columns = Array.from({ length: random.int(1, 4) }, () => someText(random));
  const rows = Array.from({ length: random.int(0, 4) }, () => columns.map(() => someCell(random)));
  return { path: "", columns, rows };
}

const write = (table: Table, mark = false): string => Buffer.from(csvOf(table, { mark })).toString("utf8");
const formulasIn = (file: string): string[] =>
  PROGRAMS.flatMap((program) =>
    cellsOf(file, program)
      .flat()
      .filter(runsAsFormula)
      .map((cell) => `${program.name}: ${JSON.stringify(cell)}`),
  );

describe("csvOf", () => {
  it("lets no program find a formula, for random tables", () => {
    const random = new Random(18);
    for (let count = 0; count < 3000; count++) {
      const table = someTable(random);
      expect(formulasIn(write(table, count % 2 === 0)), JSON.stringify(table)).toEqual([]);
    }
  });

  it("changes texts by apostrophes only, and cells stay where they are", () => {
    const random = new Random(7);
    const [comma] = PROGRAMS;
    if (comma === undefined) throw new Error("There is a program that splits at commas");
    for (let count = 0; count < 1000; count++) {
      const { columns, rows } = someTable(random);
      const text = (value: Scalar): string => String(value ?? "").replaceAll("'", "");
      const expected = [columns, ...rows].map((row) => row.map(text));
      const read = cellsOf(write({ path: "", columns, rows }, true), comma).slice(0, -1);
      // CRLF counts as two ends of line here.
      const lines = read.filter((_, index) => index % 2 === 0).map((row) => row.map(text));
      expect(lines, JSON.stringify({ columns, rows })).toEqual(expected);
    }
  });

  it.each([
    "foo;=1+1",
    "foo\t@SUM(A1)",
    "foo|+A1",
    "foo\n=1+1",
    "foo\r-A1",
    'foo;"=1+1',
    "foo; \u00a0=1+1",
    "foo؛=1+1",
    "foo;＝1+1",
  ])("guards %j behind its separator", (text) => {
    const table = { path: "", columns: ["name", "text"], rows: [["a", text]] };
    const unguarded = `name,text\r\na,"${text.replaceAll('"', '""')}"\r\n`;
    expect(formulasIn(unguarded)).not.toEqual([]);
    expect(formulasIn(write(table))).toEqual([]);
    expect(write(table)).toContain("'");
  });

  it("quotes texts behind a signed number that begins a line", () => {
    const table = { path: "", columns: ["a", "b"], rows: [[-5, "1+cmd|' /C calc'!A0"]] };
    expect(formulasIn("a,b\r\n-5,1+cmd|' /C calc'!A0\r\n")).not.toEqual([]);
    expect(write(table)).toBe('"a","b"\r\n-5,"1+cmd|\' /C calc\'!A0"\r\n');
  });
});

describe("guardFormulas", () => {
  it.each([
    "-12.50",
    "+49",
    "+3,5%",
    "-1.234,56",
    "-1 234,50",
    "-1'234.50",
    "-1e-7",
    "12",
    "a=b",
    "a, -5 EUR",
    "x - y",
  ])("leaves %j as it is", (text) => {
    expect(guardFormulas(text)).toBe(text);
  });

  it.each([
    ["-5 EUR", "'-5 EUR"],
    ["-5; -6", "'-5; '-6"],
    ["+49 30 123456", "'+49 30 123456"],
    ["-1-1", "'-1-1"],
    [" =1", " '=1"],
    ["\ufeff=1", "\ufeff'=1"],
    ["\t=1", "'\t'=1"],
    ["\tx", "'\tx"],
    ["a;=1;=2", "a;'=1;'=2"],
  ])("writes %j as %j", (text, guarded) => {
    expect(guardFormulas(text)).toBe(guarded);
    expect(guardFormulas(guarded)).toBe(guarded);
  });

  it.each(["\t", '"', ";", " ", "-5 ", "-1 234", "=;"])("reads a million times %j in linear time", (piece) => {
    const text = `${piece.repeat(1_000_000)}x=1`;
    const start = performance.now();
    guardFormulas(text);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe("xlsxOf", () => {
  it("writes texts as texts, for random tables", async () => {
    const random = new Random(3);
    for (let count = 0; count < 60; count++) {
      const { columns, rows } = someTable(random);
      const texts = [...columns, ...rows.flat()].filter((value) => typeof value === "string" && value !== "").length;
      const parts = unzipSync(await xlsxOf([{ path: "", columns, rows }]));
      const sheet = Buffer.from(parts["xl/worksheets/sheet1.xml"] ?? []).toString("utf8");
      expect(sheet).not.toMatch(/<f[ >/]|t="(?:str|e)"/);
      expect(sheet.match(/<c [^>]*t="(?:s|inlineStr)"/g)?.length ?? 0).toBe(texts);
    }
  });
});
