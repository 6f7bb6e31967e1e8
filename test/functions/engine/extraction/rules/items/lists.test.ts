/** Lists of any kind out of tables: statements, price lists, data sheets, schedules. */

import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../../functions/ports/json.ts";
import type { Block, Layout, TableBlock } from "../../../../../../functions/ports/layout.ts";
import { setBlock, setLayout, setTable } from "../../../../../support/typeset.ts";

const text: Json = { type: "string" };
const sum: Json = { type: "number" };
const date: Json = { type: "string", format: "date" };

const listOf = (name: string, properties: Json): Json => ({
  type: "object",
  properties: { [name]: { type: "array", items: { type: "object", properties } } },
});

const read = (layout: Layout, schema: Json): Json =>
  extractOffline(layout, { schema: parseSchema(schema), granularity: "word" }).result;

const page = (...blocks: Block[]): Layout => setLayout(blocks);

/** Continues the table of the page before. */
const goesOn = (table: TableBlock): TableBlock => ({ ...table, continued: true });

describe("readLists", () => {
  it("reads a bank statement without carried balances", () => {
    const table = setTable(
      [
        ["Date", "Details", "Amount", "Balance"],
        ["", "Balance brought forward", "", "500.00"],
        ["01.03.2024", "Card payment grocer", "-12.40", "487.60"],
        ["02.03.2024", "Salary", "2,000.00", "2,487.60"],
      ],
      1,
    );
    expect(read(page(table), listOf("transactions", { date, description: text, amount: sum, balance: sum }))).toEqual({
      transactions: [
        { date: "2024-03-01", description: "Card payment grocer", amount: -12.4, balance: 487.6 },
        { date: "2024-03-02", description: "Salary", amount: 2000, balance: 2487.6 },
      ],
    });
  });

  it("takes an amount's sign from debit and credit columns", () => {
    const table = setTable(
      [
        ["Date", "Details", "Paid out", "Paid in"],
        ["01.03.2024", "Card payment grocer", "12.40", ""],
        ["02.03.2024", "Salary", "", "2,000.00"],
      ],
      1,
    );
    expect(read(page(table), listOf("transactions", { date, description: text, amount: sum }))).toEqual({
      transactions: [
        { date: "2024-03-01", description: "Card payment grocer", amount: -12.4 },
        { date: "2024-03-02", description: "Salary", amount: 2000 },
      ],
    });
    expect(read(page(table), listOf("transactions", { details: text, paid_out: sum, paid_in: sum }))).toEqual({
      transactions: [
        { details: "Card payment grocer", paid_out: 12.4, paid_in: null },
        { details: "Salary", paid_out: null, paid_in: 2000 },
      ],
    });
  });

  it("assigns a column of whole numbers headed by `No.` to the only count left", () => {
    const table = setTable(
      [
        ["Company", "City", "No. of"],
        ["Alder Mills", "Reno", "150"],
        ["Beech Works", "Elko", "1,200"],
      ],
      1,
    );
    expect(read(page(table), listOf("notices", { company: text, city: text, employees: { type: "integer" } }))).toEqual(
      {
        notices: [
          { company: "Alder Mills", city: "Reno", employees: 150 },
          { company: "Beech Works", city: "Elko", employees: 1200 },
        ],
      },
    );
  });

  it("reads lists of texts from a column, and from marked lines below their heading", () => {
    const schema: Json = {
      type: "object",
      properties: { species: { type: "array", items: text }, precautions: { type: "array", items: text } },
    };
    const layout = page(
      setBlock(
        { text: "Precautions", top: 1 },
        { text: "• Wear gloves", left: 1.2 },
        { text: "• Keep away from", left: 1.2 },
        { text: "open flames", left: 1.35 },
      ),
      setTable(
        [
          ["Species", "Count"],
          ["Kestrel", "7"],
          ["Wren", "12"],
        ],
        1,
      ),
    );
    expect(read(layout, schema)).toEqual({
      species: ["Kestrel", "Wren"],
      precautions: ["Wear gloves", "Keep away from open flames"],
    });
  });

  it("finds columns by the words of a title or description, in another order or number", () => {
    const table = setTable(
      [
        ["CAS No.", "Substance", "Concentration"],
        ["64-17-5", "Ethanol", "60 %"],
        ["7732-18-5", "Water", "40 %"],
      ],
      1,
    );
    const ingredients = {
      cas: { type: "string", title: "CAS number" },
      chemical: { type: "string", description: "The substance" },
      concentrations: text,
    };
    expect(read(page(table), listOf("ingredients", ingredients))).toEqual({
      ingredients: [
        { cas: "64-17-5", chemical: "Ethanol", concentrations: "60 %" },
        { cas: "7732-18-5", chemical: "Water", concentrations: "40 %" },
      ],
    });
  });

  it("keeps all lines of a cell, and joins hyphenated words", () => {
    const table = setTable(
      [
        ["Day", "Topic", "Room"],
        ["Monday", "Intro-/duction to maps/with exercises", "12"],
        ["Tuesday", "Charts", "14"],
      ],
      1,
    );
    expect(read(page(table), listOf("sessions", { day: text, topic: text, room: text }))).toEqual({
      sessions: [
        { day: "Monday", topic: "Introduction to maps with exercises", room: "12" },
        { day: "Tuesday", topic: "Charts", room: "14" },
      ],
    });
  });

  it("reads the longest labels of a heading, and the net price that a cell computes", () => {
    const rows = [
      ["Code article, référence", "Nom & désignation, objet", "P.U. HT", "Qté", "Total HT"],
      ["REF: A-12", "Nettoyage", "Brut: 65,00/Rabais: 5,00/Net: 60,00", "2,00", "120,00"],
      ["REF: B-07", "Peinture", "Brut: 31,00/Rabais: 1,00/Net: 30,00", "3,00", "90,00"],
    ];
    const table = setTable(rows, 1);
    expect(read(page(table), listOf("lines", { name: text, quantity: sum, unit_price: sum, line_total: sum }))).toEqual(
      {
        lines: [
          { name: "Nettoyage", quantity: 2, unit_price: 60, line_total: 120 },
          { name: "Peinture", quantity: 3, unit_price: 30, line_total: 90 },
        ],
      },
    );
  });

  it("continues across pages, with and without a repeated header", () => {
    const head = ["Item", "Qty", "Price", "Total"];
    const layout = setLayout(
      [setTable([head, ["Bolt", "4", "2.50", "10.00"]], 1)],
      [goesOn(setTable([head, ["Nut", "8", "1.25", "10.00"]], 1))],
      [
        goesOn(
          setTable(
            [
              ["Washer", "3", "0.50", "1.50"],
              ["Total", "", "", "21.50"],
            ],
            0,
          ),
        ),
      ],
    );
    const lines = listOf("lines", { name: text, quantity: sum, unit_price: sum, total: sum });
    expect(read(layout, lines)).toEqual({
      lines: [
        { name: "Bolt", quantity: 4, unit_price: 2.5, total: 10 },
        { name: "Nut", quantity: 8, unit_price: 1.25, total: 10 },
        { name: "Washer", quantity: 3, unit_price: 0.5, total: 1.5 },
      ],
    });
  });

  it("identifies columns that multiply, whatever their headings", () => {
    const table = setTable(
      [
        ["Pos.", "Artikel", "Nettopreis", "Menge", "Steuer", "Nettobetrag"],
        ["1", "Regal", "12,50", "4 Stk", "19 %", "50,00"],
        ["2", "Haken", "0,80", "15 Stk", "19 %", "12,00"],
      ],
      1,
    );
    const lines = listOf("lines", {
      pos: text,
      name: text,
      quantity: sum,
      unit: text,
      unit_price: sum,
      line_total: sum,
      tax_rate: sum,
    });
    expect(read(page(table), lines)).toEqual({
      lines: [
        { pos: "1", name: "Regal", quantity: 4, unit: "Stk", unit_price: 12.5, line_total: 50, tax_rate: 19 },
        { pos: "2", name: "Haken", quantity: 15, unit: "Stk", unit_price: 0.8, line_total: 12, tax_rate: 19 },
      ],
    });
  });

  it("assigns each list its table by columns and by the line above", () => {
    const place = (table: TableBlock, top: number): TableBlock => {
      const by = top - table.box.top;
      const move = <T extends { top: number; bottom: number }>(box: T): T => ({
        ...box,
        top: box.top + by,
        bottom: box.bottom + by,
      });
      return {
        ...table,
        box: move(table.box),
        cells: table.cells.map((cell) => ({
          ...cell,
          box: move(cell.box),
          lines: cell.lines.map((line) => ({
            box: move(line.box),
            words: line.words.map((word) => ({ ...word, box: move(word.box) })),
          })),
        })),
      };
    };
    const rows = (name: string) => [
      ["Name", "Hours"],
      [name, "3"],
      [`${name} junior`, "5"],
    ];
    const layout = page(
      setBlock({ text: "Workers", top: 1 }),
      place(setTable(rows("Ada"), 1), 1.3),
      setBlock({ text: "Visitors", top: 5 }),
      place(setTable(rows("Bo"), 1), 5.3),
    );
    const item = { type: "array", items: { type: "object", properties: { name: text, hours: sum } } };
    expect(read(layout, { type: "object", properties: { visitors: item, workers: item } })).toEqual({
      visitors: [
        { name: "Bo", hours: 3 },
        { name: "Bo junior", hours: 5 },
      ],
      workers: [
        { name: "Ada", hours: 3 },
        { name: "Ada junior", hours: 5 },
      ],
    });
  });

  it("leaves a list without a fitting table empty", () => {
    const table = setTable(
      [
        ["Tax", "Base", "Rate"],
        ["VAT", "100.00", "20 %"],
        ["VAT", "50.00", "5 %"],
      ],
      1,
    );
    expect(read(page(table), listOf("animals", { species: text, legs: { type: "integer" } }))).toEqual({ animals: [] });
  });

  it("takes time linear in the rows", () => {
    const rows = (count: number): TableBlock =>
      setTable(
        [["Key", "Item", "Qty"], ...Array.from({ length: count }, (_, at) => [`K${at}`, `Item ${at}`, `${at}`])],
        1,
      );
    const time = (count: number): number => {
      const layout = page(rows(count));
      const start = performance.now();
      const { items } = read(layout, listOf("items", { key: text, item: text, qty: sum })) as { items: Json[] };
      expect(items).toHaveLength(count);
      return performance.now() - start;
    };
    time(200);
    // Twice the rows take twice the time; four times leaves room for a busy machine.
    const [some, more] = [time(500), time(2000)];
    expect(more / some).toBeLessThan(16);
  });
});
