/** Styles of a page's text, shared by the characters of one text object. */

import type { TextStyle } from "./glyph.ts";
import type { PdfPage } from "./pdf-page.ts";

const FONT_FLAG_FORCE_BOLD = 1 << 18;
/** Text rendering modes (PDF 32000-1, table 106). */
const MODE_FILL_AND_STROKE = 2;
const MODE_INVISIBLE = 3;
const MODE_CLIP = 7;
/** Fonts of LaTeX's package eurosym: `feymr10`, `TeX-feybo10`. */
const EUROSYM_FONT_NAME = /^(?:[A-Z]{6}\+)?(?:TeX-)?fey[mb][rlo]\d/i;
const BOLD_FONT_NAME = /bold|black|heavy|semibd|demi(?!light)/i;

/** Bytes of pdfium's memory that reading a style takes. */
export const STYLE_BYTES = 512;
const NAME_BYTES = STYLE_BYTES - 8;
const latin1 = new TextDecoder("latin1");

/** Text over a scan leans slightly, each word differently: up to 3 degrees count as upright. */
function snapAngle(degrees: number): number {
  const quarter = Math.round(degrees / 90) * 90;
  const snapped = Math.abs(degrees - quarter) <= 3 ? quarter : Math.round(degrees);
  return (snapped + 360) % 360;
}

type FontStyle = Pick<TextStyle, "bold" | "eurosym">;

/** The styles of an open page's text, each read once. */
export class TextStyles {
  readonly #page: PdfPage;
  readonly #text: number;
  readonly #scratch: number;
  readonly #styles = new Map<number, TextStyle>();
  /** Keyed by font handle. */
  readonly #fonts = new Map<number, FontStyle>();

  /** @param scratch STYLE_BYTES of pdfium's memory */
  constructor(page: PdfPage, text: number, scratch: number) {
    this.#page = page;
    this.#text = text;
    this.#scratch = scratch;
  }

  /**
   * @param object the text object of the character at `index`; 0 for a character without one, which has a style of its
   * own
   */
  styleOf(index: number, object: number): TextStyle {
    const known = object === 0 ? undefined : this.#styles.get(object);
    if (known !== undefined) return known;
    const style = this.#read(index, object);
    this.#styles.set(object, style);
    return style;
  }

  #read(index: number, object: number): TextStyle {
    const { pdfium, toShown } = this.#page;
    const { call } = pdfium;
    const [text, scratch] = [this.#text, this.#scratch];
    const nominal = call.FPDFText_GetFontSize(text, index);
    call.FPDFText_GetMatrix(text, index, scratch);
    const view = pdfium.view();
    const a = view.getFloat32(scratch, true);
    const b = view.getFloat32(scratch + 4, true);
    const c = view.getFloat32(scratch + 8, true);
    const d = view.getFloat32(scratch + 12, true);
    // Type of a negative size runs against its matrix; some programs turn it round twice.
    const sign = Math.sign(nominal) || 1;
    const angle = Math.atan2(sign * (toShown.b * a + toShown.d * b), sign * (toShown.a * a + toShown.c * b));
    const mode = object === 0 ? 0 : call.FPDFTextObj_GetTextRenderMode(object);
    const font = this.#fontStyle(index, object);
    return {
      ...font,
      size: Math.abs(nominal) * Math.hypot(c, d),
      bold: mode === MODE_FILL_AND_STROKE || font.bold,
      angle: snapAngle((angle * 180) / Math.PI),
      hidden: mode === MODE_INVISIBLE || mode === MODE_CLIP,
    };
  }

  /** Asks once for each font: most pages have a few fonts and hundreds of text objects. */
  #fontStyle(index: number, object: number): FontStyle {
    const { pdfium } = this.#page;
    const scratch = this.#scratch;
    const font = object === 0 ? 0 : pdfium.call.FPDFTextObj_GetFont(object);
    const known = font === 0 ? undefined : this.#fonts.get(font);
    if (known !== undefined) return known;
    const length = pdfium.call.FPDFText_GetFontInfo(this.#text, index, scratch + 8, NAME_BYTES, scratch);
    if (length === 0) return { bold: false };
    const forced = (pdfium.view().getInt32(scratch, true) & FONT_FLAG_FORCE_BOLD) !== 0;
    // The names looked for are ASCII; pdfium does not write names longer than the buffer.
    const end = length > NAME_BYTES ? 0 : length - 1;
    const name = latin1.decode(pdfium.bytes().subarray(scratch + 8, scratch + 8 + end));
    const bold = forced || BOLD_FONT_NAME.test(name);
    const style: FontStyle = EUROSYM_FONT_NAME.test(name) ? { bold, eurosym: true } : { bold };
    this.#fonts.set(font, style);
    return style;
  }
}
