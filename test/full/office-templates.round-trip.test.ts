/** Documents made of Office templates give back what was filled, by extraction with the template's own schema. */
import { describe, expect, it } from "vitest";
import { extractSure } from "../../bench/offline/sure.ts";
import { readOfficeDocument } from "../../functions/engine/readers/office/read-office.ts";
import { templateFormat } from "../../functions/engine/templates/template-formats.ts";
import { templateSchema } from "../../functions/engine/templates/template-schema.ts";
import { isObject, type Json, type JsonObject } from "../../functions/ports/json.ts";
import { DOCX, PPTX, XLSX } from "../../functions/ports/media-types.ts";
import { table as slideTable, textBox } from "../support/deck-template.ts";
import { type CellInput, workbookOf } from "../support/excel-workbook.ts";
import { docx, wordParagraph, wordTable } from "../support/office.ts";
import { presentation } from "../support/office-parts.ts";

/** Share of the filled values that extraction gives back, sure enough for the service to answer them. */
const LEAST_GIVEN_BACK = 0.98;

const LINES = [
  ["Invoice number", "{{invoice_number}}"],
  ["Invoice date", '{{invoice_date | format("yyyy-MM-dd")}}'],
  ["Due date", '{{due_date | format("d MMMM yyyy", "en")}}'],
  ["Contract number", "{{contract_number}}"],
  ["Customer number", "{{customer_number}}"],
  ["Order number", "{{order_number}}"],
] as const;
const COLUMNS = [
  ["Description", "{{#items}}{{description}}"],
  ["Quantity", "{{quantity | number('en')}}"],
  ["Unit price", "{{unit_price | number('en', 2)}}"],
  ["Amount", "{{amount | number('en', 2)}}{{/items}}"],
] as const;
const TOTALS = [
  ["Net total", "{{net_total | number('en', 2)}}"],
  ["Total", "{{total | number('en', 2)}}"],
] as const;

const lines = [...LINES, ...TOTALS].map(([label, tag]) => `${label}: ${tag}`);
const rows = [COLUMNS.map(([label]) => label), COLUMNS.map(([, tag]) => tag)];

function workbookTemplate(): Uint8Array {
  const cells: Record<string, CellInput> = { A1: "Invoice" };
  for (const [index, [label, tag]] of LINES.entries()) {
    cells[`A${index + 2}`] = label;
    cells[`B${index + 2}`] = tag;
  }
  for (const [column, [label, tag]] of COLUMNS.entries()) {
    cells[`${"ABCD"[column]}9`] = label;
    cells[`${"ABCD"[column]}10`] = tag;
  }
  for (const [index, [label, tag]] of TOTALS.entries()) {
    cells[`A${index + 12}`] = label;
    cells[`B${index + 12}`] = tag;
  }
  return workbookOf({ sheets: [{ name: "Invoice", cells }] });
}

const FORMATS = [
  {
    provider: "docx",
    mediaType: DOCX,
    template: docx(
      ...["Invoice", ...lines.slice(0, LINES.length)].map((line) => wordParagraph(line)),
      wordTable(rows),
      ...lines.slice(LINES.length).map((line) => wordParagraph(line)),
    ),
  },
  {
    provider: "pptx",
    mediaType: PPTX,
    template: presentation([{ shapes: textBox("Invoice", ...lines) + slideTable(rows) }]),
  },
  { provider: "xlsx", mediaType: XLSX, template: workbookTemplate() },
] as const;

const GOODS = ["Oak chair", "Pine table", "Desk lamp", "Steel shelf", "Cork board", "Wall clock"];
const cents = (value: number): number => Math.round(value * 100) / 100;

/** The values of one document; every document has others. */
function invoice(at: number): JsonObject {
  const items = Array.from({ length: 1 + (at % 4) }, (_, index) => {
    const [quantity, price] = [1 + ((at + index) % 7), cents(9.95 + 13.4 * ((at * 3 + index) % 11))];
    return {
      description: GOODS[(at + index) % GOODS.length] ?? "",
      quantity,
      unit_price: price,
      amount: cents(quantity * price),
    };
  });
  const net = cents(items.reduce((sum, { amount }) => sum + amount, 0));
  const day = String(1 + (at % 28)).padStart(2, "0");
  return {
    invoice_number: `INV-2026-${1000 + at * 7}`,
    invoice_date: `2026-03-${day}`,
    due_date: `2026-04-${day}`,
    contract_number: `C-${20_000 + at * 13}`,
    customer_number: `K-${70_000 + at * 17}`,
    order_number: `PO-${700 + at * 11}`,
    items,
    net_total: net,
    total: cents(net * 1.19),
  };
}

/** The values at all leaves, by path. */
function leavesOf(value: Json, path = ""): [string, Json][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}/${index}`));
  if (isObject(value)) return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${path}/${name}`));
  return [[path, value]];
}

describe("a filled template", () => {
  it.each(FORMATS)("of .$provider gives back what was filled", async ({ provider, mediaType, template }) => {
    const format = await templateFormat(mediaType);
    const { schema } = templateSchema((await format.describe(template)).fields);
    const misses: string[] = [];
    let count = 0;
    for (let at = 0; at < 20; at += 1) {
      const fields = invoice(at);
      const options = { flatten: false, missingIsError: true, ignoreUnknown: false };
      const { bytes } = await format.fill(template, { fields, images: new Map(), ...options });
      const { given } = extractSure(readOfficeDocument(bytes, provider), schema);
      const found = new Map(leavesOf(given.result));
      for (const [path, value] of leavesOf(fields)) {
        count += 1;
        if (found.get(path) !== value) misses.push(`${at}${path}: ${JSON.stringify([value, found.get(path)])}`);
      }
    }
    const share = 1 - misses.length / count;
    console.info(`${provider}: ${count - misses.length} of ${count} values given back (${(100 * share).toFixed(1)} %)`);
    expect(share, misses.slice(0, 20).join("\n")).toBeGreaterThanOrEqual(LEAST_GIVEN_BACK);
  });
});
