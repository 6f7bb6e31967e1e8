/** Text in the file that the page does not show: in hidden layers, and outside its clip. */
import {
  degrees,
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  PDFStream,
  PDFString,
  StandardFonts,
} from "@cantoo/pdf-lib";
import { describe, expect, it, vi } from "vitest";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { lineTexts } from "../../../../support/layout.ts";

type Operand = Parameters<typeof PDFOperator.of>[1];

const operate = (page: PDFPage, name: PDFOperatorNames, operands: Operand = []): void =>
  page.pushOperators(PDFOperator.of(name, operands));

interface Layered {
  /** Layers that the configuration turns off and on, and its base state. */
  off?: string[];
  on?: string[];
  base?: string;
  compressed?: boolean;
  /** Names of the two layers, which identify them where there is no membership and no form. */
  names?: [string, string];
}

/**
 * A line in each of the layers A and B, one in a membership of both (shown when all are on), one in a form of layer B,
 * an invisible one in layer A, and one in none.
 */
async function layered({ off = [], on = [], base, compressed = false, names }: Layered): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { context } = document;
  const font = await document.embedFont(StandardFonts.Helvetica);
  const inner = await PDFDocument.create();
  inner.addPage([300, 30]).drawText("Line of the form", { x: 0, y: 10, size: 12 });
  const [form] = await document.embedPdf(await inner.save());
  const page = document.addPage([612, 792]);
  const layers = new Map(
    ["A", "B"].map((key, index) => {
      const Name = names === undefined ? key : PDFString.of(names[index] ?? "");
      return [key, context.register(context.obj({ Type: "OCG", Name }))];
    }),
  );
  const refs = (names: string[]): PDFObject[] => names.flatMap((name) => layers.get(name) ?? []);
  const both = context.obj({ Type: "OCMD", P: "AllOn", OCGs: context.obj(refs(["A", "B"])) });
  const configuration = { OFF: context.obj(refs(off)), ON: context.obj(refs(on)) };
  document.catalog.set(
    PDFName.of("OCProperties"),
    context.obj({
      OCGs: context.obj(refs(["A", "B"])),
      D: context.obj(base === undefined ? configuration : { ...configuration, BaseState: base }),
    }),
  );
  const within = (name: string | undefined, text: string, y: number): void => {
    if (name !== undefined)
      operate(page, PDFOperatorNames.BeginMarkedContentSequence, [PDFName.of("OC"), PDFName.of(name)]);
    page.drawText(text, { x: 72, y, size: 12, font });
    if (name !== undefined) operate(page, PDFOperatorNames.EndMarkedContent);
  };
  within("A", "Line of A", 700);
  within("B", "Line of B", 670);
  if (names === undefined) within("AB", "Line of both", 640);
  within(undefined, "Line of the page", 580);
  operate(page, PDFOperatorNames.SetTextRenderingMode, [PDFNumber.of(3)]);
  within("A", "Unseen line of A", 550);
  if (form !== undefined && names === undefined) page.drawPage(form, { x: 72, y: 610 });
  const resources = page.node.Resources();
  resources?.set(
    PDFName.of("Properties"),
    context.obj({ ...Object.fromEntries(layers), ...(names === undefined ? { AB: context.register(both) } : {}) }),
  );
  await document.flush();
  const drawn = form === undefined ? undefined : context.lookup(form.ref);
  const layer = layers.get("B");
  if (drawn instanceof PDFStream && layer !== undefined && names === undefined) drawn.dict.set(PDFName.of("OC"), layer);
  return document.save({ useObjectStreams: compressed });
}

const linesOf = async (pdf: Uint8Array): Promise<string[]> =>
  lineTexts((await readDocument(pdf, { mimeType: "application/pdf", ocr: "NONE" })).layout.pages[0]);

const REST = ["Line of the page", "Unseen line of A"];

describe("hidden PDF layers", () => {
  it.each([
    ["all on", {}, ["Line of A", "Line of B", "Line of both", "Line of the form"]],
    ["one off", { off: ["A"] }, ["Line of B", "Line of the form"]],
    ["one off, the catalog among other objects", { off: ["A"], compressed: true }, ["Line of B", "Line of the form"]],
    ["a form's off", { off: ["B"] }, ["Line of A"]],
    ["off but one", { base: "OFF", on: ["A"] }, ["Line of A"]],
    ["one off, told by its name", { off: ["A"], names: ["For print \\(A\\)", "For the screen"] }, ["Line of B"]],
    ["one off, all compressed", { off: ["B"], names: ["One", "Another"], compressed: true }, ["Line of A"]],
    ["one off, and both of one name", { off: ["A"], names: ["Layer", "Layer"] }, ["Line of B"]],
    ["all off", { off: ["A", "B"], compressed: true }, []],
  ] as [string, Layered, string[]][])(
    "%s: text includes what is shown, and invisible text",
    async (_name, how, lines) => {
      expect(await linesOf(await layered(how))).toEqual([...lines, ...REST]);
    },
  );

  it("cause no copy of the file where names identify them or all are on", async () => {
    const load = vi.spyOn(PDFDocument, "load");
    const named = await layered({ off: ["A"], names: ["One", "Another"], compressed: true });
    const shown = await layered({});
    const alike = await layered({ off: ["A"], names: ["Layer", "Layer"] });
    load.mockClear();
    for (const pdf of [named, shown]) await linesOf(pdf);
    expect(load).not.toHaveBeenCalled();
    await linesOf(alike);
    expect(load).toHaveBeenCalledOnce();
    load.mockRestore();
  });
});

describe("PDF clip", () => {
  const clipped = async (mode: number, rotate = 0): Promise<Uint8Array> => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const page = document.addPage([612, 792]);
    page.setRotation(degrees(rotate));
    operate(page, PDFOperatorNames.PushGraphicsState);
    operate(
      page,
      PDFOperatorNames.AppendRectangle,
      [72, 690, 66, 30].map((value) => PDFNumber.of(value)),
    );
    operate(page, PDFOperatorNames.ClipNonZero);
    operate(page, PDFOperatorNames.EndPath);
    operate(page, PDFOperatorNames.SetTextRenderingMode, [PDFNumber.of(mode)]);
    page.drawText("Shown part beyond the clip", { x: 72, y: 700, size: 12, font });
    page.drawText("All of it beyond", { x: 72, y: 600, size: 12, font });
    operate(page, PDFOperatorNames.PopGraphicsState);
    page.drawText("Beside it", { x: 72, y: 500, size: 12, font });
    return document.save();
  };

  it.each([0, 90])("cuts off text beyond it, on a page rotated by %d degrees", async (rotate) => {
    const [first = "", ...others] = await linesOf(await clipped(0, rotate));
    expect(first).toMatch(/^Shown part b?e?$/);
    expect(others).toEqual(["Beside it"]);
  });

  it("does not cut off invisible text", async () => {
    expect(await linesOf(await clipped(3))).toEqual(["Shown part beyond the clip", "All of it beyond", "Beside it"]);
  });
});
