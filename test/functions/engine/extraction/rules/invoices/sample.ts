import type { PageMaker } from "../../page.ts";

/** An invented invoice: what is drawn and what a reader would take from it. Absent keys do not count. */
export interface Sample {
  name: string;
  draw(page: PageMaker): void;
  expected: Partial<{
    invoice_number: string;
    issue_date: string;
    due_date: string;
    seller: string;
    buyer: string;
    currency: string;
    net_total: number;
    tax_total: number;
    gross_total: number;
    amount_due: number;
  }>;
}

/** Rows of cells at fixed places; a negative place is a right edge. */
export function grid(page: PageMaker, y: number, places: number[], rows: string[][], step = 0.22, size = 10): number {
  rows.forEach((row, line) => {
    row.forEach((cell, column) => {
      const x = places[column] ?? 0;
      if (cell !== "") page.text(Math.abs(x), y + line * step, cell, { size, align: x < 0 ? "right" : "left" });
    });
  });
  return y + rows.length * step;
}
