/** Barcodes as extraction sees them: their content in words at their place on the page. */
import type { Block, Box, Layout, Line, Word } from "../../../ports/layout.ts";
import type { PayloadValue } from "./payload.ts";
import type { Barcode } from "./read-barcodes.ts";

/** Longer rows are data for machines. */
const MAX_ROW_CHARACTERS = 500;

/** Labels for a payload's fields: `creditor.name` becomes `creditor name`. */
function* labelledValues(
  fields: Record<string, PayloadValue>,
  above: string,
): Generator<[label: string, value: string]> {
  for (const [name, value] of Object.entries(fields)) {
    const label = `${above} ${name.replaceAll(/[_-]|(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()}`.trim();
    if (typeof value === "object") yield* labelledValues(value, label);
    // Two decimals, as amounts are printed.
    else yield [label, typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : String(value)];
  }
}

/**
 * A row of words across the symbol, as high as its share of the symbol, so that words keep a place beside and below
 * others.
 */
function rowLine(row: string, index: number, count: number, box: Box): Line {
  const height = (box.bottom - box.top) / count;
  const top = box.top + index * height;
  const scale = (box.right - box.left) / row.length;
  const words = [...row.matchAll(/\S+/g)].map(({ 0: text, index: at }): Word => {
    const left = box.left + at * scale;
    return { text, box: { left, top, right: left + text.length * scale, bottom: top + 0.8 * height } };
  });
  return { box: { ...box, top, bottom: top + 0.8 * height }, words };
}

function barcodeNote({ text, bbox: box, payload }: Barcode): Block | undefined {
  const all =
    payload === undefined
      ? [text]
      : [...labelledValues(payload.fields, "")].map(([name, value]) => `${name}: ${value}`);
  const rows = all
    .map((row) => row.replaceAll(/\s+/g, " ").trim())
    .filter((row) => row !== "" && row.length <= MAX_ROW_CHARACTERS);
  if (rows.length === 0) return undefined;
  return { kind: "note", box, lines: rows.map((row, index) => rowLine(row, index, rows.length, box)) };
}

/** Adds a note for each barcode at the end of its page, so that references to printed words stay valid. */
export function withBarcodes(layout: Layout, barcodes: readonly Barcode[]): Layout {
  const pages = layout.pages.map((page) => {
    const own = barcodes
      .filter(({ pageNumber }) => pageNumber === page.number)
      .flatMap((code) => barcodeNote(code) ?? []);
    return own.length === 0 ? page : { ...page, blocks: [...page.blocks, ...own] };
  });
  return { ...layout, pages };
}
