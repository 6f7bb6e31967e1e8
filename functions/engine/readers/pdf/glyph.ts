/** A character on a page. */
import type { Box } from "../../../ports/layout.ts";

export interface Point {
  x: number;
  y: number;
}

/** Numbers of a glyph's place: left, top, right, bottom, then its origin. */
export const NUMBERS_PER_PLACE = 6;

/** Writes a glyph's place to a page's array of places. @param at index of its first number */
export function writePlace(places: Float64Array, at: number, { left, top, right, bottom }: Box, { x, y }: Point): void {
  places[at] = left;
  places[at + 1] = top;
  places[at + 2] = right;
  places[at + 3] = bottom;
  places[at + 4] = x;
  places[at + 5] = y;
}

/** The style shared by the characters of one text object. */
export interface TextStyle {
  /** Height of the type in points, as shown. */
  size: number;
  bold: boolean;
  /** Direction of the text, in whole degrees clockwise from "to the right", as shown: 0 to 359. */
  angle: number;
  /** Drawn invisibly, like the text over a scan. */
  hidden: boolean;
  /** Its font draws the euro sign at the place of the letter e. */
  eurosym?: true;
}

/**
 * A glyph. A page has thousands, and creating them is most of the cost of reading beside the engine; so one array holds
 * the places of a whole page.
 */
export class Glyph {
  text: string;
  readonly style: TextStyle;
  /** Handle of the text object it belongs to, for comparison only. */
  readonly object: number;
  /** White space stands before it in the content. */
  spaced = false;
  /** True for a hyphen that divides a word at the end of a line. */
  hyphen = false;
  readonly #places: Float64Array;
  readonly #at: number;

  constructor(places: Float64Array, at: number, text: string, style: TextStyle, object: number) {
    this.text = text;
    this.style = style;
    this.object = object;
    this.#places = places;
    this.#at = at;
  }

  /** A glyph with a place of its own. */
  static single(box: Box, origin: Point, text: string, style: TextStyle, object: number): Glyph {
    const places = new Float64Array(NUMBERS_PER_PLACE);
    writePlace(places, 0, box, origin);
    return new Glyph(places, 0, text, style, object);
  }

  /** From its origin to the next one, from the type's descent to its ascent. */
  get left(): number {
    return this.#places[this.#at] ?? 0;
  }

  get top(): number {
    return this.#places[this.#at + 1] ?? 0;
  }

  get right(): number {
    return this.#places[this.#at + 2] ?? 0;
  }

  get bottom(): number {
    return this.#places[this.#at + 3] ?? 0;
  }

  /** Its origin on the baseline. */
  get x(): number {
    return this.#places[this.#at + 4] ?? 0;
  }

  get y(): number {
    return this.#places[this.#at + 5] ?? 0;
  }

  get box(): Box {
    return { left: this.left, top: this.top, right: this.right, bottom: this.bottom };
  }

  /** The same glyph at another place. */
  moved(box: Box, origin: Point): Glyph {
    const glyph = Glyph.single(box, origin, this.text, this.style, this.object);
    glyph.spaced = this.spaced;
    glyph.hyphen = this.hyphen;
    return glyph;
  }
}

const RIGHT_TO_LEFT_START = /^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Tells whether a text begins with a character of a right-to-left script. */
export const startsRightToLeft = (text: string): boolean =>
  text.charCodeAt(0) >= 0x590 && RIGHT_TO_LEFT_START.test(text);
