import { describe, expect, it } from "vitest";
import { summarize } from "../../../../functions/engine/completeness/completeness-report.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { PageMaker } from "../extraction/page.ts";
import { linesOf, receiptsOf } from "./tables.ts";

interface NumberedLine {
  position: number;
  name: string;
  quantity: number;
  amount: number;
}

const numbered = (...positions: number[]): NumberedLine[] =>
  linesOf(positions.length).map(({ name, quantity, amount }, at) => ({
    position: positions[at] ?? 0,
    name,
    quantity,
    amount,
  }));

const COLUMNS = { position: "integer", name: "string", quantity: "integer", amount: "number" };
const properties = Object.fromEntries(Object.entries(COLUMNS).map(([name, type]) => [name, { type }]));
const SCHEMA: Json = {
  type: "object",
  properties: { lines: { type: "array", items: { type: "object", properties } } },
};

/** Lines under headings; then further lines, each a text at the left and perhaps one at the right. */
function page(lines: readonly NumberedLine[], ...further: [string, string?, string?][]) {
  const maker = new PageMaker().text(1, 0.6, "Delivery note");
  let y = 1.5;
  const row = (first: string, name = "", quantity = "", amount = ""): void => {
    maker.text(1, y, first);
    if (name !== "") maker.text(1.6, y, name);
    if (quantity !== "") maker.text(4.5, y, quantity, { align: "right" });
    if (amount !== "") maker.text(6, y, amount, { align: "right" });
    y += 0.2;
  };
  row("Position", "", "Quantity", "Amount");
  for (const { position, name, quantity, amount } of lines)
    row(String(position), name, String(quantity), amount.toFixed(2));
  for (const [first, name, amount] of further) row(first, name, "", amount);
  return maker.layout();
}

/** The receipt of a result with all the lines of a page that could be read as rows. */
function receiptOf(lines: readonly NumberedLine[], ...further: [string, string?, string?][]) {
  const data = { lines: [...lines] } as unknown as Json;
  return summarize(receiptsOf(page(lines, ...further), data, { schema: SCHEMA })).receipt;
}

describe("reconcile, with rows that may be missing", () => {
  const five = numbered(1, 2, 3, 4, 5);
  const sum = five.reduce((total, { amount }) => total + amount, 0);

  it("counts a list whose numbers and sum are right", () => {
    const receipt = receiptOf(five, ["Total", "", sum.toFixed(2)]);
    expect(receipt.lists).toEqual([{ pointer: "/lines", expected: 5, returned: 5, counted: true }]);
    expect(receipt.notes).toBeUndefined();
  });

  it("does not call a list counted whose numbers have a gap", () => {
    const receipt = receiptOf(numbered(1, 2, 3, 5, 6));
    expect(receipt.lists).toMatchObject([{ counted: false, expected: 5, returned: 5 }]);
    expect(receipt.notes).toEqual(["/lines has rows numbered up to 6, but none numbered 4"]);
  });

  it("does not call a list counted below which a line has its next number", () => {
    const receipt = receiptOf(five, ["6", "Assembly on site, as agreed"]);
    expect(receipt.lists).toMatchObject([{ counted: false, returned: 5 }]);
    expect(receipt.notes).toEqual(["/lines ends with row 5, but a line numbered 6 is printed on page 1"]);
  });

  it("does not call the first row a list where a detail, air and the second row follow", () => {
    const note = "/lines ends with row 1, but a line numbered 2 is printed on page 1";
    const [first] = numbered(1);
    const data = { lines: [first] } as unknown as Json;
    const layout = page(numbered(1), ["colour as agreed"], ["2", "Bracket", "4.50"]);
    const { receipt } = summarize(receiptsOf(layout, data, { schema: SCHEMA }));
    expect(receipt.lists).toMatchObject([{ counted: false, expected: 1, returned: 1 }]);
    expect(receipt.notes).toEqual([note]);
    const clauses = summarize(receiptsOf(page(numbered(1), ["2", "Delivery is free."]), data, { schema: SCHEMA }));
    expect(clauses.receipt.notes ?? []).not.toContain(note);
  });

  it("does not call a list counted whose sum needs a further amount", () => {
    const receipt = receiptOf(five, ["Total", "", (sum + 40).toFixed(2)]);
    expect(receipt.lists).toMatchObject([{ counted: false, returned: 5 }]);
    expect(receipt.notes).toEqual([
      `/lines adds up to ${sum.toFixed(2)}, but the sum printed below it is ${(sum + 40).toFixed(2)}`,
    ]);
  });

  it("takes numbers that do not count the rows, and sums that taxes explain, for no sign of missing rows", () => {
    expect(receiptOf(numbered(1004, 1005, 1006, 1009, 1010)).lists).toMatchObject([{ counted: true }]);
    const taxed = receiptOf(five, ["Total", "", (sum + 40).toFixed(2)], ["VAT", "", "40.00"]);
    expect(taxed.lists).toMatchObject([{ counted: true }]);
  });
});

describe("a recognised list that no sum proves", () => {
  const goods = [2, 3, 5, 7, 9, 11].map((amount, at) => ({ name: `Article ${"ABCDEF"[at]}`, amount: amount + 0.49 }));
  const schema: Json = {
    type: "object",
    properties: {
      goods: {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" }, amount: { type: "number" } } },
      },
    },
  };
  const till = (total?: string) => {
    const maker = new PageMaker();
    for (const [at, { name, amount }] of goods.entries())
      maker
        .text(1, 1 + at * 0.2, name, { confidence: 0.9 })
        .text(4, 1 + at * 0.2, `${amount.toFixed(2)} B`, { align: "right", confidence: 0.9 });
    if (total !== undefined)
      maker
        .text(1, 1 + goods.length * 0.2, "Total", { confidence: 0.9 })
        .text(3.9, 1 + goods.length * 0.2, total, { align: "right", confidence: 0.9 });
    return maker.layout();
  };

  it("is not counted, cut off above its total or short of it; a total to the cent counts it", () => {
    const countedIn = (total?: string) =>
      receiptsOf(till(total), { goods }, { schema }).map(({ counted, doubt }) => [counted, doubt !== undefined]);
    expect(countedIn()).toEqual([[false, true]]);
    expect(countedIn("60.00")).toEqual([[false, true]]);
    expect(countedIn("39.94")).toEqual([[true, false]]);
  });
});
