/** PDFs drawn by our own code, with exactly known positions. */
import {
  degrees,
  PDFDocument,
  type PDFFont,
  PDFHexString,
  PDFName,
  type PDFPage,
  StandardFonts,
} from "@cantoo/pdf-lib";

export interface Fonts {
  regular: PDFFont;
  bold: PDFFont;
}

export interface PageOptions {
  /** In points, before rotation and cropping. */
  size?: [number, number];
  rotate?: 0 | 90 | 180 | 270;
  /** x, y, width, height from the bottom left of the page. */
  cropBox?: [number, number, number, number];
}

type Draw = (page: PDFPage, fonts: Fonts) => void;

async function newDocument(): Promise<{ document: PDFDocument; fonts: Fonts }> {
  const document = await PDFDocument.create({ updateMetadata: false });
  return {
    document,
    fonts: {
      regular: await document.embedFont(StandardFonts.Helvetica),
      bold: await document.embedFont(StandardFonts.HelveticaBold),
    },
  };
}

/** One page for each drawing. */
export async function drawnPdf(draws: readonly Draw[], options: PageOptions = {}): Promise<Uint8Array> {
  const { document, fonts } = await newDocument();
  for (const draw of draws) {
    const page = document.addPage(options.size ?? [612, 792]);
    if (options.cropBox !== undefined) page.setCropBox(...options.cropBox);
    if (options.rotate !== undefined) page.setRotation(degrees(options.rotate));
    draw(page, fonts);
  }
  return document.save();
}

export interface Placed {
  text: string;
  x: number;
  y: number;
  size?: number;
  bold?: boolean;
  /** Degrees counterclockwise, as in PDF. */
  turn?: number;
}

/** Lines of text on one page; x and y in points from the bottom left to the start of the baseline. */
export const textPdf = (lines: readonly Placed[], options: PageOptions = {}): Promise<Uint8Array> =>
  drawnPdf(
    [
      (page, fonts) => {
        for (const { text, x, y, size = 12, bold = false, turn = 0 } of lines) {
          page.drawText(text, { x, y, size, font: bold ? fonts.bold : fonts.regular, rotate: degrees(turn) });
        }
      },
    ],
    options,
  );

/** A typical invoice page: two address blocks, labels and values, a table, totals at the right edge. */
export const invoiceLines: readonly Placed[] = [
  { text: "Northwind Traders Ltd.", x: 50, y: 740, size: 16, bold: true },
  { text: "12 Harbour Street", x: 50, y: 722 },
  { text: "Bristol BS1 4ST", x: 50, y: 708 },
  { text: "Invoice number:", x: 360, y: 740, bold: true },
  { text: "INV-2024-0815", x: 460, y: 740 },
  { text: "Invoice date:", x: 360, y: 724, bold: true },
  { text: "05.03.2024", x: 460, y: 724 },
  { text: "Item", x: 50, y: 640, bold: true },
  { text: "Qty", x: 330, y: 640, bold: true },
  { text: "Price", x: 400, y: 640, bold: true },
  { text: "Amount", x: 500, y: 640, bold: true },
  { text: "Trennblätter A4, weiß", x: 50, y: 622 },
  { text: "20", x: 330, y: 622 },
  { text: "9.90", x: 400, y: 622 },
  { text: "198.00", x: 500, y: 622 },
  { text: "Joghurt Banane", x: 50, y: 604 },
  { text: "50", x: 330, y: 604 },
  { text: "5.50", x: 400, y: 604 },
  { text: "275.00", x: 500, y: 604 },
  { text: "Total", x: 400, y: 570, bold: true },
  { text: "473.00", x: 500, y: 570, bold: true },
];

/**
 * A page with these character codes in one font, and a ToUnicode map of our own (PDF 32000-1, 9.10.3): text layers
 * that no drawing library writes.
 * @param shown PDF operators between BT and ET
 * @param toUnicode code → UTF-16BE in hexadecimal digits
 * @param differences of the font's encoding: codes, each with the glyph names from there on
 */
export async function mappedPdf(
  shown: string,
  toUnicode: Record<string, string>,
  differences: readonly (number | string)[] = [],
  baseFont = "Helvetica",
): Promise<Uint8Array> {
  const { document } = await newDocument();
  const { context } = document;
  const mappings = Object.entries(toUnicode).map(([code, unicode]) => `<${code}> <${unicode}>`);
  const map = [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
    "/CMapName /Ours def /CMapType 2 def",
    "1 begincodespacerange <00> <FF> endcodespacerange",
    `${mappings.length} beginbfchar\n${mappings.join("\n")}\nendbfchar`,
    "endcmap CMapName currentdict /CMap defineresource pop end end",
  ].join("\n");
  const font = context.obj({
    Type: "Font",
    Subtype: "Type1",
    BaseFont: baseFont,
    FirstChar: 0,
    LastChar: 255,
    Widths: Array.from({ length: 256 }, () => 556),
    ToUnicode: context.register(context.stream(map)),
    ...(differences.length > 0 ? { Encoding: context.obj({ Type: "Encoding", Differences: [...differences] }) } : {}),
  });
  const page = document.addPage([612, 792]);
  page.node.set(PDFName.of("Resources"), context.obj({ Font: { F1: context.register(font) } }));
  page.node.set(PDFName.of("Contents"), context.register(context.stream(`BT /F1 12 Tf ${shown} ET`)));
  return document.save();
}

export async function encryptedPdf(
  passwords: { user?: string; owner: string },
  algorithm: "RC4-40" | "RC4-128" | "AES-128" | "AES-256" = "AES-256",
): Promise<Uint8Array> {
  const { document, fonts } = await newDocument();
  document.addPage([612, 792]).drawText("Behind a password", { x: 50, y: 700, size: 12, font: fonts.regular });
  document.encrypt({
    algorithm,
    allowWeakCryptography: true,
    ownerPassword: passwords.owner,
    ...(passwords.user ? { userPassword: passwords.user } : {}),
  });
  return document.save({ useObjectStreams: false });
}

/** A blank page encrypted by the named security handler (PDF 32000-1, 7.6) instead of the standard one. */
export const filteredPdf = (filter: string): Uint8Array =>
  new TextEncoder().encode(`%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>> endobj
4 0 obj <</Filter/${filter}/V 4>> endobj
trailer <</Root 1 0 R/Encrypt 4 0 R/ID[<00><00>]>>
%%EOF
`);

/**
 * A form with a combo box and a list that offer the same options, without an appearance.
 * @param options export value and displayed text of each
 */
export async function choicePdf(options: readonly [value: string, label: string][], values: readonly string[]) {
  const { document, fonts } = await newDocument();
  const page = document.addPage([612, 792]);
  page.drawText("Choices", { x: 50, y: 740, size: 12, font: fonts.regular });
  const form = document.getForm();
  const shown = document.context.obj(options.map((pair) => pair.map((text) => PDFHexString.fromText(text))));
  const chosen = values.map((value) => PDFHexString.fromText(value));
  const fields = [form.createDropdown("combo"), form.createOptionList("list")];
  for (const [index, field] of fields.entries()) {
    field.addToPage(page, { x: 150, y: 660 - 100 * index, width: 200, height: 20 + 40 * index, borderWidth: 0 });
    field.acroField.dict.set(PDFName.of("Opt"), shown);
    field.acroField.dict.set(
      PDFName.of("V"),
      index === 0 ? (chosen[0] ?? PDFName.of("")) : document.context.obj(chosen),
    );
    for (const widget of field.acroField.getWidgets()) widget.dict.delete(PDFName.of("AP"));
  }
  return document.save({ updateFieldAppearances: false });
}

/** A form with one filled text field, optionally without its appearance. */
export async function formPdf(value: string, options: { look: boolean; rotate?: 0 | 90 }): Promise<Uint8Array> {
  const { document, fonts } = await newDocument();
  const page = document.addPage([612, 792]);
  page.setRotation(degrees(options.rotate ?? 0));
  page.drawText("Full name", { x: 50, y: 700, size: 12, font: fonts.regular });
  const field = document.getForm().createTextField("name");
  field.setText(value);
  field.addToPage(page, { x: 150, y: 694, width: 200, height: 20, borderWidth: 0 });
  if (!options.look) {
    for (const widget of field.acroField.getWidgets()) widget.dict.delete(PDFName.of("AP"));
  }
  return document.save({ updateFieldAppearances: options.look });
}
