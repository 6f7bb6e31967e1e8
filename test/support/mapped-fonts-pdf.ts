/** PDFs whose fonts are mapped to characters in ways that no drawing library writes (PDF 32000-1, 9.10). */
import { PDFDocument, PDFName, type PDFRef } from "@cantoo/pdf-lib";

/** A font of a page, and the lines that it shows. */
export interface MappedFont {
  /** Codes of its lines are those of these characters. */
  lines: readonly string[];
  /** The characters that a code is mapped to, as text; absent: the font has no map. */
  map?: (character: string) => string;
  /** Name of a code's glyph; absent: Adobe's standard names. */
  glyphName?: (code: number) => string;
  /** Glyphs are drawings (Type 3); they need names. */
  drawn?: boolean;
  /** Drawn glyphs of these names are blank. */
  blanks?: readonly string[];
}

const [FIRST, LAST] = [32, 126];
const CODES = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);

const hex = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("hex");

function toUnicodeMap(map: (character: string) => string): string {
  const mappings = CODES.map((code) => `<${code.toString(16)}> <${hex(map(String.fromCharCode(code)))}>`);
  return [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Ours def /CMapType 2 def",
    "1 begincodespacerange <00> <FF> endcodespacerange",
    `${mappings.length} beginbfchar\n${mappings.join("\n")}\nendbfchar`,
    "endcmap CMapName currentdict /CMap defineresource pop end end",
  ].join("\n");
}

function addFont({ context }: PDFDocument, { map, glyphName, drawn, blanks = [] }: MappedFont): PDFRef {
  const widths = CODES.map(() => (drawn ? 500 : 556));
  const names = glyphName === undefined ? [] : CODES.map(glyphName);
  const encoding =
    names.length === 0 ? {} : { Encoding: context.obj({ Type: "Encoding", Differences: [FIRST, ...names] }) };
  const unicode = map === undefined ? {} : { ToUnicode: context.register(context.stream(toUnicodeMap(map))) };
  const common = { Type: "Font", FirstChar: FIRST, LastChar: LAST, Widths: widths, ...encoding, ...unicode };
  if (drawn !== true) return context.register(context.obj({ ...common, Subtype: "Type1", BaseFont: "Helvetica" }));
  const box = context.register(context.stream("500 0 0 0 450 700 d1 50 0 400 700 re f"));
  const blank = context.register(context.stream("500 0 0 0 500 1 d1 0 0 500 1 re f"));
  return context.register(
    context.obj({
      ...common,
      Subtype: "Type3",
      FontBBox: [0, 0, 500, 700],
      FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
      CharProcs: Object.fromEntries(names.map((name) => [name, blanks.includes(name) ? blank : box])),
      Resources: {},
    }),
  );
}

const escaped = (line: string): string => line.replaceAll(/[\\()]/g, (one) => `\\${one}`);

/** One page with the lines of the fonts below one another, 20 points apart, the first 1.5 inches below the top. */
export async function mappedFontsPdf(fonts: readonly MappedFont[]): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const page = document.addPage([612, 792]);
  let y = 684;
  const shown: string[] = [];
  const resources: Record<string, PDFRef> = {};
  for (const [index, font] of fonts.entries()) {
    resources[`F${index}`] = addFont(document, font);
    for (const line of font.lines) {
      shown.push(`/F${index} 12 Tf 1 0 0 1 72 ${y} Tm (${escaped(line)}) Tj`);
      y -= 20;
    }
  }
  page.node.set(PDFName.of("Resources"), document.context.obj({ Font: resources }));
  const content = document.context.stream(`BT ${shown.join(" ")} ET`);
  page.node.set(PDFName.of("Contents"), document.context.register(content));
  return document.save();
}
