/** PDFs with more than text: annotations, checkboxes, embedded files, XFA. */
import { PDFDocument, PDFName, type PDFPage, PDFString, StandardFonts } from "@cantoo/pdf-lib";

/** Left, bottom, right, top in points from the bottom left of a letter page. */
export type Corners = [number, number, number, number];

export interface Annotation {
  subtype: string;
  rect: Corners;
  contents?: string;
  flags?: number;
  /** The target of a link; an action of another kind when `action` names one. */
  uri?: string;
  action?: string;
  /** x and y of four corners for each rectangle. */
  quads?: number[];
  stateModel?: string;
}

async function letterPage(text: string): Promise<{ document: PDFDocument; page: PDFPage }> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([612, 792]);
  page.drawText(text, { x: 72, y: 700, size: 12, font });
  return { document, page };
}

/** "See our terms and write to us" at 72, 700 with these annotations. */
export async function annotatedPdf(annotations: readonly Annotation[]): Promise<Uint8Array> {
  const { document, page } = await letterPage("See our terms and write to us");
  const { context } = document;
  for (const { subtype, rect, contents, flags = 0, uri, action, quads, stateModel } of annotations) {
    const entries = {
      Type: "Annot",
      Subtype: subtype,
      Rect: rect,
      F: flags,
      ...(contents === undefined ? {} : { Contents: PDFString.of(contents) }),
      ...(uri === undefined ? {} : { A: { S: action ?? "URI", URI: PDFString.of(uri) } }),
      ...(quads === undefined ? {} : { QuadPoints: quads }),
      ...(stateModel === undefined ? {} : { StateModel: PDFString.of(stateModel) }),
    };
    page.node.addAnnot(context.register(context.obj(entries)));
  }
  return document.save();
}

/**
 * "Married" and "Single", each with a checkbox on its left; the first is checked.
 * @param look of the checked box: a cross of lines, or a letter of ZapfDingbats
 */
export async function tickedPdf(look: "lines" | "letter"): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([612, 792]);
  const { context } = document;
  const dingbats = context.register(context.obj({ Type: "Font", Subtype: "Type1", BaseFont: "ZapfDingbats" }));
  const drawn = { lines: "0 0 m 10 10 l 0 10 m 10 0 l S", letter: "BT /ZaDb 10 Tf 1 2 Td (4) Tj ET" }[look];
  ["Married", "Single"].forEach((label, row) => {
    const y = 700 - 30 * row;
    page.drawText(label, { x: 90, y, size: 12, font });
    const box = document.getForm().createCheckBox(label);
    box.addToPage(page, { x: 74, y, width: 10, height: 10 });
    const appearance = (content: string) =>
      context.register(
        context.stream(content, {
          Type: "XObject",
          Subtype: "Form",
          BBox: [0, 0, 10, 10],
          Resources: { Font: { ZaDb: dingbats } },
        }),
      );
    if (row === 0) box.check();
    for (const widget of box.acroField.getWidgets()) {
      const on = widget.getOnValue() ?? PDFName.of("Yes");
      widget.dict.set(
        PDFName.of("AP"),
        context.obj({ N: { [on.decodeText()]: appearance(drawn), Off: appearance("") } }),
      );
    }
  });
  return document.save({ updateFieldAppearances: false });
}

export interface Embedded {
  name: string;
  bytes: Uint8Array;
  mimeType?: string;
  description?: string;
}

export async function pdfWithFiles(files: readonly Embedded[]): Promise<Uint8Array> {
  const { document } = await letterPage("Invoice");
  for (const { name, bytes, mimeType, description } of files) {
    await document.attach(bytes, name, {
      ...(mimeType === undefined ? {} : { mimeType }),
      ...(description === undefined ? {} : { description }),
    });
  }
  return document.save();
}

/** A page that says "please wait", as in files whose form needs an XFA processor. */
export async function dynamicFormPdf(options: { field: boolean }): Promise<Uint8Array> {
  const { document, page } = await letterPage("Please wait...");
  const form = document.getForm();
  if (options.field) form.createTextField("name").addToPage(page, { x: 72, y: 600, width: 100, height: 20 });
  const { context } = document;
  form.acroForm.dict.set(PDFName.of("XFA"), context.register(context.stream("<xdp:xdp/>")));
  document.catalog.set(PDFName.of("AcroForm"), form.acroForm.dict);
  document.catalog.set(PDFName.of("NeedsRendering"), context.obj(true));
  return document.save({ updateFieldAppearances: false });
}
