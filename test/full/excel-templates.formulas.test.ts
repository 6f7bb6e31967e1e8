/**
 * Random workbooks with rows that lists repeat. Each is filled, and made a second time by hand with all its rows and
 * formulas; LibreOffice must calculate the same from both.
 */
import { describe, expect, it } from "vitest";
import { fillExcel } from "../../functions/engine/templates/excel/excel-template.ts";
import type { JsonObject } from "../../functions/ports/json.ts";
import { calculate, hasLibreOffice } from "../support/calculated-sheets.ts";
import { type CellInput, workbookOf } from "../support/excel-workbook.ts";

const there = hasLibreOffice();
if (!there) console.warn("SKIPPED: workbooks calculated by LibreOffice, which is not here (soffice)");

type Cells = Record<string, CellInput>;
interface Case {
  template: Uint8Array;
  byHand: Uint8Array;
  fields: JsonObject;
}

/** Random numbers from a seed (Mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A formula of the repeated row: as the template has it, and as each row has it. */
interface RowFormula {
  template: (row: number, total: number) => string;
  byHand: (row: number, first: number, last: number, total: number) => string;
}

const ROW_FORMULAS: RowFormula[] = [
  { template: (r) => `=B${r}*C${r}`, byHand: (r) => `=B${r}*C${r}` },
  { template: (r) => `=B${r}*$B$1`, byHand: (r) => `=B${r}*$B$1` },
  { template: (r) => `=ROUND(B${r}/B1,2)`, byHand: (r) => `=ROUND(B${r}/B1,2)` },
  { template: (r) => `=SUM(B$${r}:B${r})`, byHand: (r, first) => `=SUM(B$${first}:B${r})` },
  { template: (r) => `=B${r}/SUM($B$${r}:$B$${r})`, byHand: (r, first, last) => `=B${r}/SUM($B$${first}:$B$${last})` },
  { template: (r) => `=N(J${r - 1})+1`, byHand: (r) => `=N(J${r - 1})+1` },
  { template: (r) => `=SUM(B1:B${r})`, byHand: (r) => `=SUM(B1:B${r})` },
  { template: (r, t) => `=B${r}-B${t}`, byHand: (r, _, __, t) => `=B${r}-B${t}` },
  {
    template: (r, t) => `=RANK(B${r},B$${r}:B$${r})+B$${t}`,
    byHand: (r, first, last, t) => `=RANK(B${r},B$${first}:B$${last})+B$${t}`,
  },
  { template: (r) => `=Sum!$B$1+B${r}`, byHand: (r) => `=Sum!$B$1+B${r}` },
  {
    template: (r) => `=IF(A${r}="i1","A5 one",LEN(A${r}))`,
    byHand: (r) => `=IF(A${r}="i1","A5 one",LEN(A${r}))`,
  },
  { template: (r) => `=ROW(B${r})`, byHand: (r) => `=ROW(B${r})` },
];

/** A formula outside of the repeated row; `sheet` is its prefix there. */
interface OuterFormula {
  template: (sheet: string, row: number, total: number) => string;
  byHand: (sheet: string, first: number, last: number, total: number) => string;
}

const OUTER_FORMULAS: OuterFormula[] = [
  { template: (s, r) => `=SUM(${s}B${r}:B${r})`, byHand: (s, f, l) => `=SUM(${s}B${f}:B${l})` },
  { template: (s, r) => `=SUM(${s}$B$${r})`, byHand: (s, f, l) => `=SUM(${s}$B$${f}:$B$${l})` },
  { template: (s, r) => `=COUNT(${s}B${r - 1}:B${r + 1})`, byHand: (s, f, l) => `=COUNT(${s}B${f - 1}:B${l + 1})` },
  {
    template: (s, r) => `=MAX(${s}C${r}:C${r})-MIN(${s}C${r})`,
    byHand: (s, f, l) => `=MAX(${s}C${f}:C${l})-MIN(${s}C${f}:C${l})`,
  },
  { template: (s, r) => `=${s}B${r}+1`, byHand: (s, f) => `=${s}B${f}+1` },
  {
    template: (s, r) => `=SUMPRODUCT(${s}B${r}:B${r},${s}C${r}:C${r})`,
    byHand: (s, f, l) => `=SUMPRODUCT(${s}B${f}:B${l},${s}C${f}:C${l})`,
  },
  {
    template: (s, r) => `=SUMIF(${s}A${r}:A${r},"i1",${s}B${r}:B${r})`,
    byHand: (s, f, l) => `=SUMIF(${s}A${f}:A${l},"i1",${s}B${f}:B${l})`,
  },
  { template: (s, r, t) => `=ROWS(${s}A${r}:A${t})`, byHand: (s, f, _, t) => `=ROWS(${s}A${f}:A${t})` },
  {
    template: (s, r, t) => `=${s}B${t}*2+SUM(${s}$B$${r - 1}:B${t})`,
    byHand: (s, f, _, t) => `=${s}B${t}*2+SUM(${s}$B$${f - 1}:B${t})`,
  },
  { template: (s, r) => `=INDEX(${s}B${r}:B${r},1)`, byHand: (s, f, l) => `=INDEX(${s}B${f}:B${l},1)` },
  { template: (s, r, t) => `=SUM(${s}B1:INDEX(${s}B1:B${t},${r}))*0`, byHand: () => "=0" },
];

const column = (index: number): string => String.fromCharCode(65 + index);

function flatCase(seed: number): Case {
  const random = randomOf(seed);
  const pick = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const count = pick(0, 7);
  const items = Array.from({ length: count }, (_, at) => ({
    name: `i${at}`,
    qty: pick(1, 50),
    price: pick(1, 900) / 10,
  }));
  const row = pick(3, 6);
  const gap = pick(1, 3);
  const total = row + gap;
  const rows = Math.max(count, 1);
  const last = row + rows - 1;
  const newTotal = last + gap;
  const isTable = random() < 0.5;
  const tag = (name: string): string => (isTable ? `\${table:items.${name}}` : `{{${name}}}`);
  const template: Cells = {
    A1: "rate",
    B1: pick(2, 9),
    [`A${row}`]: `${isTable ? "" : "{{#items}}"}${tag("name")}`,
    [`B${row}`]: tag("qty"),
    [`C${row}`]: `${tag("price")}${isTable ? "" : "{{/items}}"}`,
    [`A${total}`]: "total",
    [`B${total}`]: `=SUM(B${row}:B${row})`,
    [`A${total + 2}`]: "end",
  };
  const byHand: Cells = {
    A1: "rate",
    B1: template.B1 ?? 0,
    [`A${newTotal}`]: "total",
    [`B${newTotal}`]: `=SUM(B${row}:B${last})`,
    [`A${newTotal + 2}`]: "end",
  };
  for (const [at, item] of items.entries())
    Object.assign(byHand, { [`A${row + at}`]: item.name, [`B${row + at}`]: item.qty, [`C${row + at}`]: item.price });
  for (let index = 3; index < 9; index += 1) {
    const formula = ROW_FORMULAS[pick(0, ROW_FORMULAS.length - 1)];
    if (formula === undefined || formula === ROW_FORMULAS[5]) continue;
    template[`${column(index)}${row}`] = formula.template(row, total);
    for (let at = 0; at < count; at += 1)
      byHand[`${column(index)}${row + at}`] = formula.byHand(row + at, row, last, newTotal);
  }
  template[`J${row}`] = ROW_FORMULAS[5]?.template(row, total) ?? "";
  for (let at = 0; at < count; at += 1)
    byHand[`J${row + at}`] = ROW_FORMULAS[5]?.byHand(row + at, row, last, newTotal) ?? "";
  const [sum, sumByHand]: [Cells, Cells] = [{ B1: 7 }, { B1: 7 }];
  for (let at = 0; at < 5; at += 1) {
    const [inside, outside] = [
      OUTER_FORMULAS[pick(0, OUTER_FORMULAS.length - 1)],
      OUTER_FORMULAS[pick(0, OUTER_FORMULAS.length - 1)],
    ];
    template[`${column(4 + at)}${total + 2}`] = inside?.template("", row, total) ?? "";
    byHand[`${column(4 + at)}${newTotal + 2}`] = inside?.byHand("", row, last, newTotal) ?? "";
    sum[`A${at + 1}`] = outside?.template("Data!", row, total) ?? "";
    sumByHand[`A${at + 1}`] = outside?.byHand("Data!", row, last, newTotal) ?? "";
  }
  const sheets = (data: Cells, other: Cells) => ({
    sheets: [
      { name: "Data", cells: data },
      { name: "Sum", cells: other },
    ],
  });
  return {
    template: workbookOf(sheets(template, sum)),
    byHand: workbookOf({ ...sheets(byHand, sumByHand), results: false }),
    fields: { items },
  };
}

function nestedCase(seed: number): Case {
  const random = randomOf(seed);
  const pick = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const groups = Array.from({ length: pick(1, 4) }, (_, at) => ({
    title: `g${at}`,
    lines: Array.from({ length: pick(1, 5) }, (__, index) => ({ name: `l${at}.${index}`, qty: pick(1, 99) })),
  }));
  const template: Cells = {
    A1: "head",
    B1: 3,
    A2: "{{#groups}}",
    A3: "{{title}}",
    B3: "=COUNT(B5)",
    C3: "=B7/B9",
    D3: "=N(D2)+1",
    A4: "{{#lines}}",
    A5: "{{name}}",
    B5: "{{qty}}",
    C5: "=B5*$B$1",
    D5: "=SUM(B$5:B5)",
    E5: "=B5/B7",
    F5: "=B5/B$9",
    G5: "=D3",
    H5: "=SUM(B5:B7)",
    A6: "{{/lines}}",
    A7: "sub",
    B7: "=SUM(B5:B5)",
    C7: "=SUM(C5)",
    D7: "=B7+B3",
    E7: "=SUM(B3:B7)*0+ROWS(B3:B7)",
    A8: "{{/groups}}",
    A9: "all",
    B9: '=SUMIF(A3:A7,"sub",B3:B7)',
    C9: "=COUNT(B5:B5)",
    D9: "=SUM(C5:C7)",
  };
  const byHand: Cells = { A1: "head", B1: 3 };
  let at = 2;
  const all = 2 + groups.reduce((sum, { lines }) => sum + lines.length + 2, 0);
  const firstLine = 3;
  for (const { title, lines } of groups) {
    const head = at;
    const first = head + 1;
    const foot = first + lines.length;
    const end = foot - 1;
    Object.assign(byHand, {
      [`A${head}`]: title,
      [`B${head}`]: `=COUNT(B${first}:B${end})`,
      [`C${head}`]: `=B${foot}/B${all}`,
      [`D${head}`]: `=N(D${head - 1})+1`,
      [`A${foot}`]: "sub",
      [`B${foot}`]: `=SUM(B${first}:B${end})`,
      [`C${foot}`]: `=SUM(C${first}:C${end})`,
      [`D${foot}`]: `=B${foot}+B${head}`,
      [`E${foot}`]: `=ROWS(B${head}:B${foot})`,
    });
    for (const [index, { name, qty }] of lines.entries()) {
      const r = first + index;
      Object.assign(byHand, {
        [`A${r}`]: name,
        [`B${r}`]: qty,
        [`C${r}`]: `=B${r}*$B$1`,
        [`D${r}`]: `=SUM(B$${first}:B${r})`,
        [`E${r}`]: `=B${r}/B${foot}`,
        [`F${r}`]: `=B${r}/B$${all}`,
        [`G${r}`]: `=D${head}`,
        [`H${r}`]: `=SUM(B${r}:B${foot})`,
      });
    }
    at = foot + 1;
  }
  const lastLine = all - 2;
  Object.assign(byHand, {
    [`A${all}`]: "all",
    [`B${all}`]: `=SUMIF(A2:A${all - 1},"sub",B2:B${all - 1})`,
    [`C${all}`]: `=COUNT(B${firstLine}:B${lastLine})`,
    [`D${all}`]: `=SUM(C${firstLine}:C${all - 1})`,
  });
  return {
    template: workbookOf({ sheets: [{ name: "Data", cells: template }] }),
    byHand: workbookOf({ sheets: [{ name: "Data", cells: byHand }], results: false }),
    fields: { groups },
  };
}

/** Cells without a value are no cells. */
const rowsOf = (text: string): string[] => text.replace(/,+$/gm, "").trimEnd().split("\n");
const SEEDS = Array.from({ length: 60 }, (_, at) => at + 1);

describe.skipIf(!there)("fillExcel", () => {
  it.each([
    ["rows of a list", flatCase],
    ["lists in lists", nestedCase],
  ])("calculates the same as a workbook made by hand: %s", { timeout: 600_000 }, async (_, make) => {
    const cases = SEEDS.map((seed) => make(seed));
    const workbooks: Record<string, Uint8Array> = {};
    for (const [at, { template, byHand, fields }] of cases.entries()) {
      const request = { fields, images: new Map(), flatten: false, missingIsError: false, ignoreUnknown: false };
      workbooks[`f${at}x`] = (await fillExcel(template, request)).bytes;
      workbooks[`h${at}x`] = byHand;
    }
    const values = calculate(workbooks);
    for (const at of cases.keys()) {
      const [filled, byHand] = [values[`f${at}x`] ?? {}, values[`h${at}x`] ?? {}];
      expect(Object.keys(filled)).toEqual(Object.keys(byHand));
      expect(Object.keys(filled).length).toBeGreaterThan(0);
      for (const [sheet, text] of Object.entries(filled)) {
        expect(rowsOf(text), `case ${at + 1}, sheet ${sheet}`).toEqual(rowsOf(byHand[sheet] ?? ""));
      }
    }
  });
});
