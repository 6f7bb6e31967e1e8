/** Flat forms made by code: pages in points, y downwards from the top left corner, as forms are read. */
import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "@cantoo/pdf-lib";

/** A pen for one page. */
export class FormPen {
  readonly #page: PDFPage;
  readonly #font: PDFFont;
  readonly #height: number;

  constructor(page: PDFPage, font: PDFFont) {
    this.#page = page;
    this.#font = font;
    this.#height = page.getHeight();
  }

  /** Text with its baseline at `y`. */
  text(text: string, x: number, y: number, size = 9): this {
    this.#page.drawText(text, { x, y: this.#height - y, size, font: this.#font });
    return this;
  }

  /** Text turned to the left by `angle` degrees. */
  slantedText(text: string, x: number, y: number, { size = 9, angle = 45 } = {}): this {
    this.#page.drawText(text, { x, y: this.#height - y, size, font: this.#font, rotate: degrees(angle) });
    return this;
  }

  line(fromX: number, fromY: number, toX: number, toY: number): this {
    this.#page.drawLine({
      start: { x: fromX, y: this.#height - fromY },
      end: { x: toX, y: this.#height - toY },
      thickness: 0.7,
    });
    return this;
  }

  box(left: number, top: number, width: number, height: number): this {
    this.#page.drawRectangle({
      x: left,
      y: this.#height - top - height,
      width,
      height,
      borderWidth: 0.7,
      borderColor: rgb(0, 0, 0),
    });
    return this;
  }

  /** A box of one shade without a frame, 0 black to 1 white. */
  tint(left: number, top: number, width: number, height: number, shade: number): this {
    const color = rgb(shade, shade, shade);
    this.#page.drawRectangle({ x: left, y: this.#height - top - height, width, height, color });
    return this;
  }

  /** A box whose corners are arcs of 10 points. */
  roundedBox(left: number, top: number, width: number, height: number): this {
    const [right, bottom] = [width - 10, height - 10];
    const path = `M 10 0 H ${right} Q ${width} 0 ${width} 10 V ${bottom} Q ${width} ${height} ${right} ${height} H 10 Q 0 ${height} 0 ${bottom} V 10 Q 0 0 10 0 Z`;
    this.#page.drawSvgPath(path, { x: left, y: this.#height - top, borderWidth: 0.7, borderColor: rgb(0, 0, 0) });
    return this;
  }

  circle(x: number, y: number, radius: number): this {
    this.#page.drawCircle({ x, y: this.#height - y, size: radius, borderWidth: 0.7, borderColor: rgb(0, 0, 0) });
    return this;
  }

  oval(x: number, y: number, xScale: number, yScale: number, thickness = 0.7): this {
    const at = { x, y: this.#height - y, xScale, yScale };
    this.#page.drawEllipse({ ...at, borderWidth: thickness, borderColor: rgb(1, 0.6, 0.65) });
    return this;
  }
}

export interface DrawnPage {
  width?: number;
  height?: number;
  /** Degrees clockwise for display. */
  rotation?: number;
  /** Points that the crop box takes off each side. */
  crop?: number;
  draw: (pen: FormPen) => void;
}

/** A PDF of drawn pages. */
export async function drawnForm(...pages: DrawnPage[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const { width = 612, height = 792, rotation = 0, crop = 0, draw } of pages) {
    const page = document.addPage([width, height]);
    draw(new FormPen(page, font));
    if (rotation !== 0) page.setRotation(degrees(rotation));
    if (crop > 0) page.setCropBox(crop, crop, width - 2 * crop, height - 2 * crop);
  }
  return document.save();
}
