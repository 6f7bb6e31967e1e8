/**
 * Ligatures without a Unicode value in pdfium. A font names them by their letters (`f_i`) in the differences of its
 * encoding (PDF 32000-1, 9.6.6.1). pdfium exposes neither, so the font dictionaries are read from the file itself, and
 * only when a page shows such a glyph.
 */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject } from "@cantoo/pdf-lib";
import { FileObjects } from "./file-objects.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";

/** Larger files are not searched. */
const MAX_FILE_BYTES = 64_000_000;
/** Limits: dictionaries of subsets of one font, requested font names, and items of one encoding. */
const MAX_FONT_DICTIONARIES = 100;
const MAX_FONT_NAMES = 100;
const MAX_DIFFERENCES = 1_000;
const MAX_NAME_BYTES = 200;
const BASE_FONT = /^\s*\/(?:[A-Z]{6}\+)?([^\s/<>[\](){}%]+)/;
const LIGATURE_NAME = /^(?:[A-Za-z](?:_[A-Za-z]){1,3}|ff|fi|fl|ffi|ffl)$/;

/** Letters by code; empty for a code that fonts of one name use differently. */
type LettersByCode = Map<number, string>;

const latin1 = new TextDecoder("latin1");

/** The fonts of a file by the name that pdfium gives: without the subset tag (`ABCDEF+`). */
class NamedFonts {
  readonly #objects: FileObjects;
  readonly #numbers = new Map<string, Set<number>>();

  /** @throws Error as FileObjects */
  constructor(file: Uint8Array) {
    this.#objects = new FileObjects(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
    for (const { number, behind } of this.#objects.objectsWithText("/BaseFont", MAX_NAME_BYTES)) {
      const name = BASE_FONT.exec(behind)?.[1];
      if (name === undefined) continue;
      const numbers = this.#numbers.get(name) ?? new Set();
      if (numbers.size < MAX_FONT_DICTIONARIES) this.#numbers.set(name, numbers.add(number));
    }
  }

  lettersOf(name: string): LettersByCode {
    const letters: LettersByCode = new Map();
    for (const number of this.#numbers.get(name) ?? []) {
      try {
        this.#addDifferences(letters, number);
      } catch {
        // A damaged dictionary names nothing.
      }
    }
    return letters;
  }

  #addDifferences(letters: LettersByCode, number: number): void {
    const { context } = this.#objects;
    const font = this.#objects.read(number);
    const encoding = font instanceof PDFDict ? font.get(PDFName.of("Encoding")) : undefined;
    if (encoding === undefined) return;
    this.#objects.load(encoding);
    const dictionary = context.lookup(encoding);
    if (dictionary instanceof PDFDict) addLigatureNames(letters, dictionary.lookup(PDFName.of("Differences")));
  }
}

function addLigatureNames(letters: LettersByCode, differences: PDFObject | undefined): void {
  if (!(differences instanceof PDFArray)) return;
  let code = 0;
  for (const item of differences.asArray().slice(0, MAX_DIFFERENCES)) {
    if (item instanceof PDFNumber) code = item.asNumber();
    if (!(item instanceof PDFName)) continue;
    const name = item.decodeText();
    const own = LIGATURE_NAME.test(name) ? name.replaceAll("_", "") : "";
    letters.set(code, (letters.get(code) ?? own) === own ? own : "");
    code += 1;
  }
}

/** The ligatures of a document's fonts. */
export class Ligatures {
  readonly #file: Uint8Array;
  readonly #letters = new Map<string, LettersByCode>();
  /** Null for a file that cannot be searched. */
  #fonts: NamedFonts | null | undefined;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  /**
   * The letters of a glyph without a Unicode value; undefined when it is no ligature.
   * @param object the text object that shows it; 0 has no font
   * @param code the font's own code
   */
  letters(pdfium: Pdfium, object: number, code: number): string | undefined {
    const font = object === 0 ? 0 : pdfium.call.FPDFTextObj_GetFont(object);
    if (font === 0) return undefined;
    const name = withMemory(pdfium, MAX_NAME_BYTES, (buffer) => {
      const bytes = pdfium.call.FPDFFont_GetBaseFontName(font, buffer, MAX_NAME_BYTES);
      return bytes > MAX_NAME_BYTES ? "" : latin1.decode(pdfium.bytes().slice(buffer, buffer + Math.max(bytes - 1, 0)));
    });
    const known = this.#letters.get(name);
    if (known !== undefined) return known.get(code) || undefined;
    if (this.#letters.size >= MAX_FONT_NAMES) return undefined;
    const letters = this.#look()?.lettersOf(name) ?? new Map<number, string>();
    this.#letters.set(name, letters);
    return letters.get(code) || undefined;
  }

  #look(): NamedFonts | null {
    if (this.#fonts !== undefined) return this.#fonts;
    try {
      this.#fonts = this.#file.length > MAX_FILE_BYTES ? null : new NamedFonts(this.#file);
    } catch {
      this.#fonts = null;
    }
    return this.#fonts;
  }
}
