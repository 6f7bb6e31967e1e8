/** The faces that a document's appearances are set in: the standard fonts, and embedded ones for all other text. */
import { type PDFDict, type PDFDocument, type PDFFont, PDFName, type PDFRef, StandardFonts } from "@cantoo/pdf-lib";
import { dictOf, entry, nameOf, numberOf } from "../../forms/acroform/pdf-values.ts";
import { badValue } from "../field-values.ts";
import { FALLBACK_FONT_NAMES, type FallbackFont, fallbackFont, sharedFontkit } from "./font-files.ts";

/** A font of a document that text can be set in. Measures are in ems: times the size they are points. */
export interface Face {
  /** Name in an appearance's resources. */
  name: string;
  ref: PDFRef;
  covers(codePoint: number): boolean;
  /** Hexadecimal digits of the codes, for `Tj`. */
  encode(text: string): string;
  width(text: string): number;
  ascent: number;
  /** Below 0. */
  descent: number;
  capHeight: number;
}

/** Text in one face. */
export interface FaceRun {
  face: Face;
  text: string;
}

/** Font names that stand for one of the standard 14 fonts, without styles and punctuation. */
const FAMILIES: readonly (readonly [RegExp, "Helvetica" | "Times" | "Courier"])[] = [
  [/cour|mono|typewriter|^co/u, "Courier"],
  [/times|serif(?!sans)|roman|georgia|garamond|minion|cambria|book|^ti/u, "Times"],
];
/** Flags of a font descriptor (PDF 32000-1, table 123). */
const FIXED_PITCH = 1;
const SERIF = 1 << 1;

const STANDARD: Record<"Helvetica" | "Times" | "Courier", readonly [string, string, string, string]> = {
  Helvetica: [
    StandardFonts.Helvetica,
    StandardFonts.HelveticaBold,
    StandardFonts.HelveticaOblique,
    StandardFonts.HelveticaBoldOblique,
  ],
  Times: [
    StandardFonts.TimesRoman,
    StandardFonts.TimesRomanBold,
    StandardFonts.TimesRomanItalic,
    StandardFonts.TimesRomanBoldItalic,
  ],
  Courier: [
    StandardFonts.Courier,
    StandardFonts.CourierBold,
    StandardFonts.CourierOblique,
    StandardFonts.CourierBoldOblique,
  ],
};

/** Cap height, ascent and descent in ems of the standard fonts (Adobe's font metrics, Core 14). */
const METRICS: Record<string, readonly [capHeight: number, ascent: number, descent: number]> = {
  Helvetica: [0.718, 0.718, -0.207],
  Times: [0.662, 0.683, -0.217],
  Courier: [0.562, 0.629, -0.157],
};

/** The standard font that looks most like a font of the form. */
export function standardFontLike(font: PDFDict | undefined, resourceName: string): { family: string; name: string } {
  const base = font === undefined ? undefined : entry(font, "BaseFont");
  const named = base instanceof PDFName ? nameOf(base).replace(/^[A-Z]{6}\+/u, "") : resourceName;
  const plain = named.toLowerCase().replaceAll(/[^a-z]/gu, "");
  const flags = (font && numberOf(entry(dictOf(font, "FontDescriptor") ?? font, "Flags"))) ?? 0;
  const byName = FAMILIES.find(([pattern]) => pattern.test(plain))?.[1];
  const byFlags = (flags & FIXED_PITCH) !== 0 ? "Courier" : (flags & SERIF) !== 0 ? "Times" : "Helvetica";
  const family = /helv|arial|sans|verdana|tahoma|calibri|myriad/u.test(plain) ? "Helvetica" : (byName ?? byFlags);
  const style = (/bold|black|heavy|^..bo|demi/u.test(plain) ? 1 : 0) + (/italic|oblique|slant/u.test(plain) ? 2 : 0);
  return { family, name: STANDARD[family][style] ?? STANDARD[family][0] };
}

/** Faces of one document, each embedded once, and only when text is set in it. */
export class Faces {
  readonly #document: PDFDocument;
  readonly #standard = new Map<string, Face>();
  readonly #fallback = new Map<FallbackFont, Promise<Face>>();

  constructor(document: PDFDocument) {
    this.#document = document;
    document.registerFontkit(sharedFontkit);
  }

  /** The standard face for a font of the form. */
  standard(font: PDFDict | undefined, resourceName: string): Face {
    const { family, name } = standardFontLike(font, resourceName);
    const known = this.#standard.get(name);
    if (known !== undefined) return known;
    const [capHeight, ascent, descent] = METRICS[family] ?? [0.7, 0.7, -0.2];
    const own = this.#document.embedStandardFont(name as StandardFonts);
    const codePoints = new Set(own.getCharacterSet());
    const face: Face = {
      name: `Sheaf${name.replaceAll("-", "")}`,
      ref: own.ref,
      covers: (codePoint) => codePoints.has(codePoint),
      ...measured(own),
      ascent,
      descent,
      capHeight,
    };
    this.#standard.set(name, face);
    return face;
  }

  #embedded(name: FallbackFont): Promise<Face> {
    let face = this.#fallback.get(name);
    if (face === undefined) {
      face = this.#embed(name);
      this.#fallback.set(name, face);
    }
    return face;
  }

  async #embed(name: FallbackFont): Promise<Face> {
    const { bytes, covers, ascent, descent, capHeight } = await fallbackFont(name);
    const own = await this.#document.embedFont(bytes, { subset: true });
    return {
      name: `Sheaf${name.replace(/\.ttf$/u, "")}`,
      ref: own.ref,
      covers,
      encode: (text) => own.encodeText(text).asString(),
      width: (text) => own.widthOfTextAtSize(text, 1),
      ascent,
      descent,
      capHeight,
    };
  }

  /**
   * Parts text into runs of one face each: the field's own where it has the characters, else the first fallback that
   * has them. Blanks and marks stay with the run before them.
   * @throws BadRequest naming a character that no font has
   */
  async runs(text: string, own: Face, field: string): Promise<FaceRun[]> {
    if (covers(own, text)) return text === "" ? [] : [{ face: own, text }];
    const runs: FaceRun[] = [];
    for (const character of graphemes(text)) {
      const last = runs.at(-1);
      const face =
        last !== undefined && covers(last.face, character) ? last.face : await this.#faceOf(character, own, field);
      if (last?.face === face) last.text += character;
      else runs.push({ face, text: character });
    }
    return runs;
  }

  async #faceOf(character: string, own: Face, field: string): Promise<Face> {
    if (covers(own, character)) return own;
    for (const name of FALLBACK_FONT_NAMES) {
      const { covers: has } = await fallbackFont(name);
      if (codePointsOf(character).every(has)) return this.#embedded(name);
    }
    const codes = codePointsOf(character).map((code) => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`);
    throw badValue(field, `The field ${field} holds "${character}" (${codes.join(" ")}), which no font here has`);
  }
}

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
const graphemes = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

const codePointsOf = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);

function covers(face: Face, text: string): boolean {
  for (const character of text) if (!face.covers(character.codePointAt(0) ?? 0)) return false;
  return true;
}

/** Encoding and widths of a standard font, whose characters are shown without kerning. */
function measured(font: PDFFont): Pick<Face, "encode" | "width"> {
  const widths = new Map<string, number>();
  const widthOf = (character: string): number => {
    let width = widths.get(character);
    if (width === undefined) {
      width = font.widthOfTextAtSize(character, 1);
      widths.set(character, width);
    }
    return width;
  };
  return {
    encode: (text) => font.encodeText(text).asString(),
    width: (text) => {
      let sum = 0;
      for (const character of text) sum += widthOf(character);
      return sum;
    },
  };
}
