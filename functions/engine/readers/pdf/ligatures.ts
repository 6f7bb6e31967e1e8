/**
 * Ligatures that pdfium has no character for: a font names them by their letters (`f_i`), in the differences of its
 * encoding (PDF 32000-1, 9.6.6.1). pdfium tells of neither, so the dictionaries are looked for in the file itself, and
 * only where a page shows such a glyph.
 */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject } from "@cantoo/pdf-lib";
import { FileObjects } from "./file-objects.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";

/** Larger files are not looked through. */
const MOST_BYTES = 64_000_000;
/** Dictionaries of fonts with one name, for parts of it; names that are asked for; and items of one encoding. */
const MOST_DICTIONARIES = 100;
const MOST_NAMES = 100;
const MOST_DIFFERENCES = 1_000;
const LONGEST_NAME = 200;
const BASE_FONT = /^\s*\/(?:[A-Z]{6}\+)?([^\s/<>[\](){}%]+)/;
const LIGATURE = /^(?:[A-Za-z](?:_[A-Za-z]){1,3}|ff|fi|fl|ffi|ffl)$/;

/** Letters by code; empty for a code that fonts of one name use differently. */
type Letters = Map<number, string>;

const latin1 = new TextDecoder("latin1");

/** The fonts of a file, by the name that pdfium tells: without the mark of a part (`ABCDEF+`). */
class NamedFonts {
  readonly #objects: FileObjects;
  readonly #numbers = new Map<string, Set<number>>();

  /** @throws Error as FileObjects */
  constructor(file: Uint8Array) {
    this.#objects = new FileObjects(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
    for (const { number, behind } of this.#objects.holding("/BaseFont", LONGEST_NAME)) {
      const name = BASE_FONT.exec(behind)?.[1];
      if (name === undefined) continue;
      const numbers = this.#numbers.get(name) ?? new Set();
      if (numbers.size < MOST_DICTIONARIES) this.#numbers.set(name, numbers.add(number));
    }
  }

  lettersOf(name: string): Letters {
    const letters: Letters = new Map();
    for (const number of this.#numbers.get(name) ?? []) {
      try {
        this.#addDifferences(letters, number);
      } catch {
        // A dictionary that is damaged names nothing.
      }
    }
    return letters;
  }

  #addDifferences(letters: Letters, number: number): void {
    const { context } = this.#objects;
    const font = this.#objects.read(number);
    const encoding = font instanceof PDFDict ? font.get(PDFName.of("Encoding")) : undefined;
    if (encoding === undefined) return;
    this.#objects.load(encoding);
    const dictionary = context.lookup(encoding);
    if (dictionary instanceof PDFDict) addNames(letters, dictionary.lookup(PDFName.of("Differences")));
  }
}

function addNames(letters: Letters, differences: PDFObject | undefined): void {
  if (!(differences instanceof PDFArray)) return;
  let code = 0;
  for (const item of differences.asArray().slice(0, MOST_DIFFERENCES)) {
    if (item instanceof PDFNumber) code = item.asNumber();
    if (!(item instanceof PDFName)) continue;
    const name = item.decodeText();
    const own = LIGATURE.test(name) ? name.replaceAll("_", "") : "";
    letters.set(code, (letters.get(code) ?? own) === own ? own : "");
    code += 1;
  }
}

/** The ligatures of a document's fonts. */
export class Ligatures {
  readonly #file: Uint8Array;
  readonly #letters = new Map<string, Letters>();
  /** Null for a file that cannot be looked through. */
  #fonts: NamedFonts | null | undefined;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  /**
   * The letters of a glyph that has no character; undefined for what is no ligature.
   * @param object the text object that shows it; 0 has no font
   * @param code the font's own
   */
  letters(pdfium: Pdfium, object: number, code: number): string | undefined {
    const font = object === 0 ? 0 : pdfium.call.FPDFTextObj_GetFont(object);
    if (font === 0) return undefined;
    const name = withMemory(pdfium, LONGEST_NAME, (buffer) => {
      const bytes = pdfium.call.FPDFFont_GetBaseFontName(font, buffer, LONGEST_NAME);
      return bytes > LONGEST_NAME ? "" : latin1.decode(pdfium.bytes().slice(buffer, buffer + Math.max(bytes - 1, 0)));
    });
    const known = this.#letters.get(name);
    if (known !== undefined) return known.get(code) || undefined;
    if (this.#letters.size >= MOST_NAMES) return undefined;
    const letters = this.#look()?.lettersOf(name) ?? new Map<number, string>();
    this.#letters.set(name, letters);
    return letters.get(code) || undefined;
  }

  #look(): NamedFonts | null {
    if (this.#fonts !== undefined) return this.#fonts;
    try {
      this.#fonts = this.#file.length > MOST_BYTES ? null : new NamedFonts(this.#file);
    } catch {
      this.#fonts = null;
    }
    return this.#fonts;
  }
}
