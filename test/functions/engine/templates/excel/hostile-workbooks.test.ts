import { describe, expect, it } from "vitest";
import { describeExcel, fillExcel } from "../../../../../functions/engine/templates/excel/excel-template.ts";
import { parseFormula } from "../../../../../functions/engine/templates/excel/formula-tokens.ts";
import { AppError, BadRequest, UnprocessableEntity } from "../../../../../functions/ports/errors.ts";
import { workbookOf } from "../../../../support/excel-workbook.ts";
import { fillRequest, fillWorkbook, oneSheet } from "../../../../support/fill-excel.ts";

const MAX_MS = 2_000;

async function quickly(work: () => Promise<unknown>): Promise<void> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(MAX_MS);
}

describe("fillExcel", () => {
  const many = Array.from({ length: 150 }, (_, index) => ({ n: index }));

  it("refuses loops in loops that multiply, over rows and in a cell", async () => {
    const rows = oneSheet({ A1: "{{#a}}", A2: "{{#b}}", A3: "{{#c}}{{n}}", B3: "x{{/c}}", A4: "{{/b}}", A5: "{{/a}}" });
    const cell = oneSheet({ A1: "{{#a}}{{#b}}{{#c}}{{n}}{{/c}}{{/b}}{{/a}}" });
    for (const input of [rows, cell]) {
      await quickly(() =>
        expect(fillWorkbook(input, { a: many, b: many, c: many })).rejects.toBeInstanceOf(BadRequest),
      );
    }
  });

  it("reads own members only", async () => {
    await expect(
      fillWorkbook(oneSheet({ A1: "{{constructor.name}}{{__proto__.x}}" }), { constructor: { name: "c" } }),
    ).resolves.toBeDefined();
  });

  it("refuses sections inside too many others, in rows and in a cell", async () => {
    const open = Array.from({ length: 3_000 }, (_, index) => `{{#s${index}}}`);
    const close = open.map((_, index) => `{{/s${2_999 - index}}}`);
    const rows = Object.fromEntries([...open, ...close].map((tag, index) => [`A${index + 1}`, tag]));
    for (const input of [oneSheet(rows), oneSheet({ A1: `${open.join("")}x${close.join("")}` })]) {
      await quickly(() => expect(describeExcel(workbookOf(input))).rejects.toThrow(/is inside more than 20 sections/));
    }
  });

  it("refuses more sections than a sheet has", async () => {
    const cells = Object.fromEntries(
      Array.from({ length: 10_001 }, (_, index) => [`A${index + 1}`, "${table:items.n}"]),
    );
    await quickly(() => expect(describeExcel(workbookOf(oneSheet(cells)))).rejects.toBeInstanceOf(UnprocessableEntity));
  });

  it.each([
    ["quotes", "'".repeat(200_000)],
    ["open brackets", "[".repeat(200_000)],
    ["a long name", "n".repeat(200_000)],
    ["colons", "a:".repeat(100_000)],
    ["text quotes", '"'.repeat(200_001)],
    ["parentheses", "SUM(".repeat(50_000)],
  ])("reads a formula of %s in time", async (_, formula) => {
    await quickly(async () => {
      const parts = parseFormula(formula);
      expect(parts.every((part) => typeof part === "string") && parts.join("")).toBe(formula);
      await fillWorkbook(
        { sheets: [...oneSheet({ A1: "{{n}}" }).sheets, { name: "Far", cells: { A1: `=${formula}` } }] },
        { n: 1 },
      );
    });
  });

  it("ends with a sentence for parts that are broken", async () => {
    const sheet = "xl/worksheets/sheet1.xml";
    for (const xml of [
      "",
      "<worksheet>",
      "<worksheet/>",
      "<worksheet><sheetData><row r='1'><c></sheetData></worksheet>",
      '<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>',
    ]) {
      const bytes = workbookOf({ ...oneSheet({ A1: "{{n}}" }), parts: { [sheet]: xml } });
      try {
        await fillExcel(bytes, fillRequest({}));
      } catch (error) {
        expect(error, String(error)).toBeInstanceOf(AppError);
      }
    }
    const vml = `<xml>${"<a>".repeat(5_000)}`;
    const related = workbookOf({
      ...oneSheet({ A1: "${table:i.n}" }, { links: { r: ["vmlDrawing", "../d.vml"] } }),
      parts: { "xl/d.vml": vml },
    });
    await expect(fillExcel(related, fillRequest({ i: [{ n: 1 }, { n: 2 }] }))).rejects.toBeInstanceOf(AppError);
  });
});
