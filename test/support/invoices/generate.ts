/** Invented invoices and credit notes: typical layouts, filled with facts by seed, drawn as PDFs. */
import { drawnPdf } from "../pdf.ts";
import { type Facts, factsOf, type Truth } from "./facts.ts";
import type { Tongue } from "./words.ts";

export const LAYOUTS = ["letter", "grid", "columns", "centred", "plain"] as const;
export type InvoiceLayout = (typeof LAYOUTS)[number];

export interface Generated {
  name: string;
  bytes: Uint8Array;
  truth: Truth;
}

/** Positioned texts; `right`: x is the right edge, `centre`: the centre. Points from the top left corner. */
interface Text {
  x: number;
  y: number;
  text: string;
  size?: number;
  bold?: boolean;
  align?: "right" | "centre";
}

interface Rule {
  x1: number;
  x2: number;
  y: number;
}

interface Page {
  texts: Text[];
  rules: Rule[];
}

const dateOf = ({ words }: Facts, iso: string): string => {
  const [year = 0, month = 0, day = 0] = iso.split("-").map(Number);
  return words.dateText(year, month, day);
};

const numberLabel = ({ words, credit }: Facts): string => (credit ? words.creditNumber : words.number);
const titleOf = ({ words, credit }: Facts): string => (credit ? words.credit : words.invoice);
const money = ({ words }: Facts, value: number): string => `${words.number2(value)} ${words.sign}`;

/** Head and rows; prices and amounts are right-aligned. Has rules above and below by default. */
function table(page: Page, facts: Facts, top: number, ruled: boolean): number {
  const { words, numbered, noted, truth } = facts;
  const left = numbered ? 150 : 60;
  const row = (y: number, [first = "", ...others]: readonly string[], bold: boolean): void => {
    page.texts.push({ x: left, y, text: first, bold });
    for (const [at, text] of others.entries())
      page.texts.push({ x: [350, 450, 545][at] ?? 545, y, text, bold, align: "right" });
  };
  if (numbered) {
    page.texts.push({ x: 60, y: top, text: words.position, bold: true });
    page.texts.push({ x: 90, y: top, text: words.article, bold: true });
  }
  row(top, words.columns, true);
  if (ruled) page.rules.push({ x1: 55, x2: 550, y: top + 5 });
  let y = top + 20;
  for (const [at, line] of truth.lines.entries()) {
    if (numbered) {
      page.texts.push({ x: 60, y, text: String(at + 1) });
      page.texts.push({ x: 90, y, text: `K${4711 + at * 13}` });
    }
    const { number2 } = words;
    row(y, [line.description, String(line.quantity), number2(line.unit_price), number2(line.amount)], false);
    if (noted) page.texts.push({ x: left, y: y + 12, text: words.note, size: 8 });
    y += noted ? 30 : 18;
  }
  if (ruled) page.rules.push({ x1: 55, x2: 550, y: y - 10 });
  return y + 10;
}

function totals(page: Page, facts: Facts, top: number, rows: readonly (readonly [string, number])[]): number {
  let y = top;
  for (const [at, [label, value]] of rows.entries()) {
    page.texts.push({ x: 350, y, text: label, bold: at === rows.length - 1 });
    page.texts.push({ x: 545, y, text: money(facts, value), align: "right", bold: at === rows.length - 1 });
    y += 17;
  }
  return y;
}

const sums = ({ words, truth }: Facts): [string, number][] => [
  [words.net, truth.net_total],
  [words.tax, truth.tax_total],
  [words.gross, truth.gross_total],
];

const stack = (page: Page, x: number, y: number, lines: readonly string[], more: Partial<Text> = {}): void => {
  for (const [at, text] of lines.entries()) page.texts.push({ x, y: y + at * 13, text, ...more });
};

/**
 * A business letter: the sender's line over the reader's address, labels and values on the right, parties in the
 * footer.
 */
function letter(facts: Facts): Page {
  const page: Page = { texts: [], rules: [] };
  const { truth, words, reader, streets, places, host } = facts;
  page.texts.push({ x: 60, y: 120, text: `${truth.seller} · ${streets[0]} · ${places[0]}`, size: 7 });
  stack(page, 60, 140, [reader, streets[1], places[1]]);
  for (const [at, [label, value]] of (
    [
      [numberLabel(facts), truth.invoice_number],
      [words.date, dateOf(facts, truth.issue_date)],
      [words.due, dateOf(facts, truth.due_date)],
    ] as const
  ).entries()) {
    page.texts.push({ x: 350, y: 180 + at * 15, text: `${label}:` });
    page.texts.push({ x: 545, y: 180 + at * 15, text: value, align: "right" });
  }
  page.texts.push({ x: 60, y: 260, text: titleOf(facts), size: 16, bold: true });
  const y = table(page, facts, 300, true);
  totals(page, facts, y, sums(facts));
  page.texts.push({ x: 60, y: 640, text: words.thanks });
  page.texts.push({
    x: 60,
    y: 760,
    text: `${truth.seller}   ·   www.${host}.example   ·   info@${host}.example`,
    size: 8,
  });
  return page;
}

/** Labels over their values in a grid, a table without lines. */
function grid(facts: Facts): Page {
  const page: Page = { texts: [], rules: [] };
  const { truth, words, reader, streets, places, host } = facts;
  page.texts.push({ x: 60, y: 60, text: truth.seller, size: 15, bold: true });
  page.texts.push({ x: 60, y: 76, text: `${streets[0]}, ${places[0]}`, size: 9 });
  page.texts.push({ x: 60, y: 90, text: `www.${host}.example`, size: 9 });
  page.texts.push({ x: 545, y: 64, text: titleOf(facts).toUpperCase(), size: 20, bold: true, align: "right" });
  for (const [at, [label, value]] of (
    [
      [numberLabel(facts), truth.invoice_number],
      [words.date, dateOf(facts, truth.issue_date)],
      [words.due, dateOf(facts, truth.due_date)],
    ] as const
  ).entries()) {
    page.texts.push({ x: 60 + at * 170, y: 140, text: label, size: 8 });
    page.texts.push({ x: 60 + at * 170, y: 154, text: value, bold: true });
  }
  page.texts.push({ x: 60, y: 195, text: words.billTo, size: 8 });
  stack(page, 60, 209, [reader, streets[1], places[1]]);
  const y = table(page, facts, 290, false);
  totals(page, facts, y, sums(facts));
  page.texts.push({ x: 60, y: 700, text: words.thanks });
  return page;
}

/** Both parties in columns under their headings, labels with colons, ruling lines. */
function columns(facts: Facts): Page {
  const page: Page = { texts: [], rules: [] };
  const { truth, words, reader, streets, places } = facts;
  page.texts.push({ x: 60, y: 60, text: `${titleOf(facts)}`, size: 18, bold: true });
  stack(page, 60, 90, [
    `${numberLabel(facts)}: ${truth.invoice_number}`,
    `${words.date}: ${dateOf(facts, truth.issue_date)}`,
    `${words.due}: ${dateOf(facts, truth.due_date)}`,
  ]);
  page.texts.push({ x: 60, y: 160, text: words.from, bold: true });
  stack(page, 60, 176, [truth.seller, streets[0], places[0]]);
  page.texts.push({ x: 320, y: 160, text: words.billTo, bold: true });
  stack(page, 320, 176, [reader, streets[1], places[1]]);
  const y = table(page, facts, 250, true);
  totals(page, facts, y, sums(facts));
  return page;
}

/** A centred letterhead, the reader on the left, the amount due set apart. */
function centred(facts: Facts): Page {
  const page: Page = { texts: [], rules: [] };
  const { truth, words, reader, streets, places, host } = facts;
  page.texts.push({ x: 306, y: 50, text: truth.seller, size: 16, bold: true, align: "centre" });
  page.texts.push({ x: 306, y: 66, text: streets[0], size: 9, align: "centre" });
  page.texts.push({ x: 306, y: 78, text: places[0], size: 9, align: "centre" });
  page.texts.push({ x: 306, y: 90, text: `info@${host}.example`, size: 9, align: "centre" });
  stack(page, 60, 140, [`${words.billTo}:`, reader, streets[1], places[1]]);
  page.texts.push({ x: 60, y: 220, text: `${titleOf(facts)}`, size: 14, bold: true });
  stack(page, 360, 140, [numberLabel(facts), words.date, words.due], { size: 9 });
  stack(page, 545, 140, [truth.invoice_number, dateOf(facts, truth.issue_date), dateOf(facts, truth.due_date)], {
    size: 9,
    align: "right",
  });
  const y = table(page, facts, 260, false);
  totals(page, facts, y, [...sums(facts), [words.toPay, truth.gross_total]]);
  page.texts.push({ x: 60, y: 720, text: words.thanks });
  return page;
}

/** Hardly any design: one left-aligned column of text. */
function plainColumn(facts: Facts): Page {
  const page: Page = { texts: [], rules: [] };
  const { truth, words, reader, streets, places, host } = facts;
  stack(page, 60, 60, [truth.seller, streets[0], places[0], `info@${host}.example`]);
  stack(page, 60, 130, [words.billTo, reader, streets[1], places[1]]);
  stack(page, 60, 200, [
    `${numberLabel(facts)} ${truth.invoice_number}`,
    `${words.date} ${dateOf(facts, truth.issue_date)}`,
    `${words.due} ${dateOf(facts, truth.due_date)}`,
  ]);
  const y = table(page, facts, 260, false);
  stack(
    page,
    60,
    y,
    sums(facts).map(([label, value]) => `${label}: ${money(facts, value)}`),
  );
  return page;
}

const DRAW_BY_LAYOUT: Record<InvoiceLayout, (facts: Facts) => Page> = {
  letter,
  grid,
  columns,
  centred,
  plain: plainColumn,
};

const PAGE_HEIGHT_POINTS = 792;

/** One invoice, or one credit note with negative amounts; the same arguments give the same document. */
export async function generateInvoice(
  layout: InvoiceLayout,
  tongue: Tongue,
  seed: number,
  credit: boolean,
): Promise<Generated> {
  const facts = factsOf(tongue, seed, credit);
  const { texts, rules } = DRAW_BY_LAYOUT[layout](facts);
  const bytes = await drawnPdf([
    (page, fonts) => {
      for (const { x, y, text, size = 10, bold = false, align } of texts) {
        const font = bold ? fonts.bold : fonts.regular;
        const width = font.widthOfTextAtSize(text, size);
        const left = align === "right" ? x - width : align === "centre" ? x - width / 2 : x;
        page.drawText(text, { x: left, y: PAGE_HEIGHT_POINTS - y, size, font });
      }
      for (const { x1, x2, y } of rules)
        page.drawLine({
          start: { x: x1, y: PAGE_HEIGHT_POINTS - y },
          end: { x: x2, y: PAGE_HEIGHT_POINTS - y },
          thickness: 0.7,
        });
    },
  ]);
  return { name: `${layout} ${tongue} ${seed}${credit ? " credit" : ""}`, bytes, truth: facts.truth };
}
