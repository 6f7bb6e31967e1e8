/** The test of a language: its file, and an invoice in its words that must be read. */

import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import { isSumRow } from "../../../../../functions/engine/structure/records/sum-rows.ts";
import { parseBoolean } from "../../../../../functions/engine/values/booleans.ts";
import { parseDate } from "../../../../../functions/engine/values/dates.ts";
import { detectLanguage } from "../../../../../functions/engine/values/language.ts";
import { faultsOf } from "../../../../../functions/engine/values/vocabulary/language-file.ts";
import { type Language, languageFile } from "../../../../../functions/engine/values/vocabulary/languages.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import type { Layout } from "../../../../../functions/ports/layout.ts";
import { PageMaker } from "../../extraction/page.ts";
import { grid } from "../../extraction/rules/invoices/sample.ts";

/** Words of an invoice and its surroundings in a language. */
export interface LanguageSample {
  title: string;
  labels: Record<"number" | "issued" | "due" | "buyer" | "net" | "tax" | "gross", string>;
  /** Headings of description, quantity, unit price and amount. */
  columns: [string, string, string, string];
  /** 5 March and 4 April 2024, in words. */
  dates: [string, string];
  /** Before the cents. */
  decimalMark: "," | ".";
  /** Two sentences as letters have them. */
  prose: [string, string];
  subtotal: string;
  yes: string;
  no: string;
}

const SCHEMA: Json = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    issue_date: { type: "string", format: "date" },
    due_date: { type: "string", format: "date" },
    buyer: { type: "string" },
    net_total: { type: "number" },
    tax_total: { type: "number" },
    gross_total: { type: "number" },
    line_items: {
      type: "array",
      items: {
        type: "object",
        properties: {
          description: { type: "string" },
          quantity: { type: "number" },
          unit_price: { type: "number" },
          amount: { type: "number" },
        },
      },
    },
  },
};

const READ = {
  invoice_number: "A-2024-117",
  issue_date: "2024-03-05",
  due_date: "2024-04-04",
  buyer: "Beta Trading Ltd",
  net_total: 130,
  tax_total: 26,
  gross_total: 156,
  line_items: [
    { description: "Alpha 7", quantity: 4, unit_price: 20, amount: 80 },
    { description: "Gamma 9", quantity: 2, unit_price: 25, amount: 50 },
  ],
};

function invoiceOf({ title, labels, columns, dates, decimalMark, prose }: LanguageSample): Layout {
  const amount = (value: number): string => value.toFixed(2).replace(".", decimalMark);
  const page = new PageMaker();
  page.text(1, 0.7, title, { size: 18, bold: true });
  page.lines(1, 1.5, [`${labels.buyer}:`, "Beta Trading Ltd"]);
  const facts = [
    [labels.number, READ.invoice_number],
    [labels.issued, dates[0]],
    [labels.due, dates[1]],
  ];
  grid(page, 1.5, [4.6, 6.6], facts);
  const items = READ.line_items.map((item) => [
    item.description,
    String(item.quantity),
    amount(item.unit_price),
    amount(item.amount),
  ]);
  grid(page, 3, [1, -4.6, -6, -7.4], [columns, ...items]);
  const totals = [
    [labels.net, amount(READ.net_total)],
    [labels.tax, amount(READ.tax_total)],
    [labels.gross, amount(READ.gross_total)],
  ];
  grid(page, 4.2, [4.6, -7.4], totals);
  page.text(1, 6, prose[0]).text(1, 6.3, prose[1]);
  return page.layout();
}

/** Registers the tests of a language. */
export function testLanguage(code: Language, sample: LanguageSample): void {
  describe(`the language ${code}`, () => {
    it("has a file without faults", () => {
      expect(faultsOf(languageFile(code))).toEqual([]);
    });

    it("is told by its prose", () => {
      expect(detectLanguage(sample.prose.join(" "))).toBe(code);
    });

    it("titles an invoice", () => {
      const { result } = extractOffline(invoiceOf(sample), { granularity: "auto" });
      expect(result).toMatchObject({ document_type: "invoice", language: code });
    });

    it("labels the values, the totals and the columns of an invoice", () => {
      const { result } = extractOffline(invoiceOf(sample), { schema: parseSchema(SCHEMA), granularity: "auto" });
      expect(result).toEqual(READ);
    });

    it("names the twelve months", () => {
      const months = languageFile(code).dates.months.flatMap((names, at) =>
        names.map((name) => [parseDate(`5 ${name} 2024`, "day-first"), at + 1]),
      );
      expect(months).toEqual(months.map(([, month]) => [`2024-${String(month).padStart(2, "0")}-05`, month]));
    });

    it("says yes, no and that a row is a sum", () => {
      expect([parseBoolean(sample.yes), parseBoolean(sample.no)]).toEqual([true, false]);
      expect(isSumRow([sample.subtotal, "130.00"])).toBe(true);
    });
  });
}
