/** The document that every engine process reads before it is ready: one page of an invoice, drawn here. */

const LEFT_POINTS = 72;
const TOP_POINTS = 720;
const LEADING_POINTS = 18;
const COLUMNS_POINTS = [0, 240, 320, 400];

/** Rows of cells, one line of the page each. */
const ROWS: readonly (readonly string[])[] = [
  ["Invoice"],
  ["Invoice number: W-100"],
  ["Invoice date: 2026-01-15"],
  ["Description", "Quantity", "Price", "Amount"],
  ["Paper, white", "2", "4.50", "9.00"],
  ["Ink, black", "1", "12.00", "12.00"],
  ["Envelopes", "10", "0.30", "3.00"],
  ["Total: 24.00 EUR"],
];

/** The schema of its data, and the value by which a process shows that it can read. */
export const WARM_SCHEMA = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    invoice_date: { type: "string", format: "date" },
    total: { type: "number" },
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: { description: { type: "string" }, quantity: { type: "number" }, amount: { type: "number" } },
      },
    },
  },
};
export const WARM_TOTAL = 24;

/** A PDF file of the page. Its cross-reference table is left out; the reader rebuilds it. */
export function warmDocument(): Uint8Array {
  const cells = ROWS.flatMap((row, line) =>
    row.map((text, column) => {
      const [x, y] = [LEFT_POINTS + (COLUMNS_POINTS[column] ?? 0), TOP_POINTS - line * LEADING_POINTS];
      return `BT /F 11 Tf ${x} ${y} Td (${text}) Tj ET`;
    }),
  ).join("\n");
  return new TextEncoder().encode(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>> endobj
4 0 obj <</Length ${cells.length}>>
stream
${cells}
endstream
endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
trailer <</Root 1 0 R>>
%%EOF
`);
}
