/** PDF pages set line by line, and the random numbers that fill them. */
import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "@cantoo/pdf-lib";

/** A seeded generator of numbers in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Vertical range of a page between its title and its foot, in points. */
const TOP_POINTS = 700;
export const BOTTOM_POINTS = 70;
export const LINE_POINTS = 13;
const FONT_POINTS = 9;

/** Sets pages one after the other; PDF coordinates, from the bottom left. */
export class Typesetter {
  readonly #draws: ((page: PDFPage, fonts: { regular: PDFFont; bold: PDFFont }) => void)[][] = [];
  y = 0;

  get page(): number {
    return this.#draws.length;
  }

  begin(title: string): void {
    this.#draws.push([]);
    this.y = TOP_POINTS;
    const { page } = this;
    this.text(title, 50, 740, { bold: true, size: 12 });
    this.text(`Page ${page}`, 500, 40);
  }

  text(text: string, x: number, y: number, look: { bold?: boolean; right?: boolean; size?: number } = {}): void {
    this.#draws.at(-1)?.push((page, { regular, bold }) => {
      const font = look.bold === true ? bold : regular;
      const size = look.size ?? FONT_POINTS;
      page.drawText(text, { x: look.right === true ? x - font.widthOfTextAtSize(text, size) : x, y, size, font });
    });
  }

  rule(x1: number, y1: number, x2: number, y2: number): void {
    this.#draws
      .at(-1)
      ?.push((page) =>
        page.drawLine({ start: { x: x1, y: y1 }, end: { x: x2, y: y2 }, thickness: 0.6, color: rgb(0.3, 0.3, 0.3) }),
      );
  }

  async pdf(): Promise<Uint8Array> {
    const document = await PDFDocument.create();
    const regular = await document.embedFont(StandardFonts.Helvetica);
    const bold = await document.embedFont(StandardFonts.HelveticaBold);
    for (const all of this.#draws) {
      const page = document.addPage([612, 792]);
      for (const draw of all) draw(page, { regular, bold });
    }
    return document.save();
  }
}
