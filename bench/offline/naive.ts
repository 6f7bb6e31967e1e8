/** A naive reader, as written in an afternoon. */

import { blockLines, lineText } from "../../functions/engine/layout/page-words.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import type { Values } from "./invoices.ts";

/** The yardstick: for each field the first line with one of a few labels followed by a value. */
export function readNaively(layout: Layout): Values {
  const lines = layout.pages.flatMap((page) => page.blocks.flatMap((block) => blockLines(block).map(lineText)));
  const text = lines.join("\n");
  const behind = (labels: string, value: string): string | null =>
    new RegExp(`(?:${labels})[^\\n\\d]{0,20}?[:#\\s]\\s*(${value})`, "iu").exec(text)?.[1]?.trim() ?? null;
  const money = (labels: string): number | null => {
    const found = behind(labels, "[-(]?[€$£]?\\s?\\d[\\d.,' ]*\\d");
    if (found === null) return null;
    const digits = found.replace(/[^\d.,-]/g, "");
    const comma = digits.lastIndexOf(",") > digits.lastIndexOf(".");
    const value = Number(comma ? digits.replace(/\./g, "").replace(",", ".") : digits.replace(/,/g, ""));
    return Number.isFinite(value) ? value : null;
  };
  const date = (labels: string): string | null => {
    const found = behind(labels, "\\d{1,4}[./-]\\d{1,2}[./-]\\d{1,4}");
    const parts = found?.split(/[./-]/) ?? [];
    if (parts.length !== 3) return null;
    const [a = "", b = "", c = ""] = parts;
    const [year, month, day] = a.length === 4 ? [a, b, c] : found?.includes("/") ? [c, a, b] : [c, b, a];
    return `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  };
  const sign = /[€$£]|EUR|USD|GBP|CHF/.exec(text)?.[0];
  const codes: Record<string, string> = { "€": "EUR", $: "USD", "£": "GBP" };
  return {
    invoice_number: behind(
      "invoice (?:number|no\\.?|#)|rechnungs?-?(?:nummer|nr\\.?)|facture n°|factuurnummer",
      "[\\w/-]*\\d[\\w/-]*",
    ),
    issue_date: date("invoice date|rechnungsdatum|date|datum"),
    due_date: date("due date|fällig(?:keit|keitsdatum| am)?|échéance|vervaldatum"),
    seller: lines[0] ?? null,
    buyer: behind("bill to|customer|kunde|client", "\\p{L}[^\\n]{2,50}"),
    currency: sign === undefined ? null : (codes[sign] ?? sign),
    net_total: money("subtotal|netto(?:betrag)?|total ht|net"),
    tax_total: money("tax|vat|mwst|ust|tva|btw"),
    gross_total: money("total|gesamtbetrag|total ttc|totaal"),
    amount_due: money("amount due|balance due|zahlbetrag|net à payer"),
  };
}
