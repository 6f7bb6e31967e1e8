/** Hand-made layouts: texts put at places, with the widths of a plain sans serif. */

import { unionBox } from "../../../../functions/engine/layout/geometry.ts";
import {
  type Block,
  LAYOUT_VERSION,
  type Layout,
  type Line,
  type Page,
  type Word,
} from "../../../../functions/ports/layout.ts";

export interface TextOptions {
  /** Points. */
  size?: number;
  bold?: boolean;
  /** `right`: x is the right edge. */
  align?: "left" | "right";
  confidence?: number;
}

/** Advance of a character in ems, roughly Helvetica's. */
function advance(char: string): number {
  if (/[iljtfI.,:;'|!]/.test(char)) return 0.28;
  if (char === " ") return 0.28;
  if (/[mwMW@%]/.test(char)) return 0.85;
  return /\p{Lu}/u.test(char) ? 0.68 : 0.54;
}

const widthOf = (text: string, em: number): number => [...text].reduce((sum, char) => sum + advance(char) * em, 0);

function makeLine(x: number, y: number, text: string, options: TextOptions): Line {
  const size = options.size ?? 10;
  const em = size / 72;
  let at = options.align === "right" ? x - widthOf(text, em) : x;
  const words: Word[] = [];
  for (const part of text.split(/( +)/)) {
    const width = widthOf(part, em);
    if (part.trim() !== "") {
      const word: Word = { text: part, box: { left: at, top: y, right: at + width, bottom: y + em }, fontSize: size };
      if (options.bold !== undefined) word.bold = options.bold;
      if (options.confidence !== undefined) word.confidence = options.confidence;
      words.push(word);
    }
    at += width;
  }
  return { box: unionBox(words.map((word) => word.box)), words };
}

/** Collects texts and makes a layout of them; y is the top of the type, everything in inches. */
export class PageMaker {
  readonly #pages: Block[][] = [[]];

  text(x: number, y: number, text: string, options: TextOptions = {}): this {
    const line = makeLine(x, y, text, options);
    this.#pages.at(-1)?.push({ kind: "paragraph", box: line.box, lines: [line] });
    return this;
  }

  /** Lines under one another as one block. */
  lines(x: number, y: number, texts: string[], options: TextOptions & { step?: number } = {}): this {
    const step = options.step ?? ((options.size ?? 10) / 72) * 1.3;
    const lines = texts.map((text, index) => makeLine(x, y + index * step, text, options));
    this.#pages.at(-1)?.push({ kind: "paragraph", box: unionBox(lines.map((line) => line.box)), lines });
    return this;
  }

  newPage(): this {
    this.#pages.push([]);
    return this;
  }

  layout(): Layout {
    const pages = this.#pages.map(
      (blocks, index): Page => ({ number: index + 1, width: 8.27, height: 11.69, unit: "inch", rotation: 0, blocks }),
    );
    return { v: LAYOUT_VERSION, provider: "test", logicalPages: false, pageCount: pages.length, pages };
  }
}
