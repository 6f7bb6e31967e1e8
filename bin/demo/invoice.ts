/** The demo's document: an invoice drawn here, so that nothing is fetched. */
import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "@cantoo/pdf-lib";

const INVOICE_LINES = [
  { description: "Binding, half cloth", quantity: 12, price: 18.5 },
  { description: "Paper, 120 g, A4", quantity: 40, price: 3.2 },
  { description: "Gold stamping", quantity: 12, price: 6.75 },
];

/** The true contents of the invoice. */
export const DEMO_TRUTH = {
  invoice_number: "SH-2026-0117",
  issue_date: "2026-03-09",
  due_date: "2026-04-08",
  seller: "Quire & Daughters Bindery Ltd.",
  buyer: "Harbour Street Library",
  currency: "GBP",
  net_total: 431,
  tax_total: 86.2,
  gross_total: 517.2,
};

/** The schema that the demo sends. */
export const DEMO_SCHEMA = {
  type: "object",
  properties: {
    invoice_number: { type: "string", description: "The invoice's number" },
    issue_date: { type: "string", format: "date", description: "Date of the invoice" },
    due_date: { type: "string", format: "date", description: "When it must be paid" },
    seller: { type: "string", description: "Who sells" },
    buyer: { type: "string", description: "Who is billed" },
    currency: { type: "string", description: "ISO 4217 code" },
    net_total: { type: "number", description: "Total before tax" },
    tax_total: { type: "number", description: "Tax" },
    gross_total: { type: "number", description: "Total including tax" },
  },
};

const INK_COLOR = rgb(0.13, 0.16, 0.22);
const formatPounds = (value: number): string => `£${value.toFixed(2)}`;

interface Pen {
  page: PDFPage;
  regular: PDFFont;
  bold: PDFFont;
}

function drawText({ page, regular, bold }: Pen, text: string, x: number, y: number, size = 10, heavy = false): void {
  page.drawText(text, { x, y, size, font: heavy ? bold : regular, color: INK_COLOR });
}

function drawTextRight(pen: Pen, text: string, right: number, y: number, heavy = false): void {
  const width = (heavy ? pen.bold : pen.regular).widthOfTextAtSize(text, 10);
  drawText(pen, text, right - width, y, 10, heavy);
}

/** @returns a one-page A4 PDF */
export async function drawInvoice(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const pen: Pen = {
    page: pdf.addPage([595, 842]),
    regular: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
  drawText(pen, "Quire & Daughters Bindery Ltd.", 50, 780, 16, true);
  drawText(pen, "4 Folio Lane, Bristol BS1 4ND", 50, 762);
  drawText(pen, "INVOICE", 430, 780, 20, true);
  drawText(pen, "Bill to:", 50, 710, 10, true);
  drawText(pen, "Harbour Street Library", 50, 694);
  drawText(pen, "17 Harbour Street, Falmouth TR11 3QX", 50, 680);
  const facts = [
    ["Invoice number:", "SH-2026-0117"],
    ["Invoice date:", "9 March 2026"],
    ["Due date:", "8 April 2026"],
  ] as const;
  facts.forEach(([label, value], index) => {
    drawText(pen, label, 350, 710 - index * 16, 10, true);
    drawText(pen, value, 450, 710 - index * 16);
  });
  drawLines(pen);
  pdf.setTitle("Invoice SH-2026-0117");
  return pdf.save();
}

function drawLines(pen: Pen): void {
  const columns = { quantity: 380, price: 460, amount: 545 };
  let y = 620;
  drawText(pen, "Description", 50, y, 10, true);
  drawTextRight(pen, "Quantity", columns.quantity, y, true);
  drawTextRight(pen, "Unit price", columns.price, y, true);
  drawTextRight(pen, "Amount", columns.amount, y, true);
  pen.page.drawLine({ start: { x: 50, y: y - 6 }, end: { x: 545, y: y - 6 }, thickness: 0.7, color: INK_COLOR });
  let net = 0;
  for (const { description, quantity, price } of INVOICE_LINES) {
    y -= 22;
    net += quantity * price;
    drawText(pen, description, 50, y);
    drawTextRight(pen, String(quantity), columns.quantity, y);
    drawTextRight(pen, formatPounds(price), columns.price, y);
    drawTextRight(pen, formatPounds(quantity * price), columns.amount, y);
  }
  const tax = net * 0.2;
  const totals = [
    ["Subtotal", net],
    ["VAT 20%", tax],
    ["Total", net + tax],
  ] as const;
  y -= 20;
  for (const [label, value] of totals) {
    y -= 18;
    const heavy = label === "Total";
    drawTextRight(pen, label, columns.price, y, heavy);
    drawTextRight(pen, formatPounds(value), columns.amount, y, heavy);
  }
}
