/** A character on a page. */
import type { Box } from "../../../ports/layout.ts";
import type { TextStyle } from "./text-styles.ts";

export interface Point {
  x: number;
  y: number;
}

/** Numbers that tell where a glyph stands: left, top, right, bottom, then its origin. */
export const PLACE_NUMBERS = 6;

/** Writes a glyph's place to a page's array of places. @param at where its numbers begin */
export function writePlace(places: Float64Array, at: number, { left, top, right, bottom }: Box, { x, y }: Point): void {
  places[at] = left;
  places[at + 1] = top;
  places[at + 2] = right;
  places[at + 3] = bottom;
  places[at + 4] = x;
  places[at + 5] = y;
}

/**
 * A page has thousands, and most of what a reading costs beside the engine is making them: so where they stand is told
 * by one array for all of a page.
 */
export class Glyph {
  text: string;
  readonly style: TextStyle;
  /** The text object it belongs to; a value to compare, nothing more. */
  readonly object: number;
  /** Whether white space stands before it in the content. */
  spaced = false;
  /** Ends its line with a hyphen that divides a word. */
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

  /** One by itself. */
  static at(box: Box, origin: Point, text: string, style: TextStyle, object: number): Glyph {
    const places = new Float64Array(PLACE_NUMBERS);
    writePlace(places, 0, box, origin);
    return new Glyph(places, 0, text, style, object);
  }

  /** From the origin to the next one, from the type's descent to its ascent. */
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

  /** Where it stands on its baseline. */
  get x(): number {
    return this.#places[this.#at + 4] ?? 0;
  }

  get y(): number {
    return this.#places[this.#at + 5] ?? 0;
  }

  get box(): Box {
    return { left: this.left, top: this.top, right: this.right, bottom: this.bottom };
  }

  /** The same character elsewhere. */
  moved(box: Box, origin: Point): Glyph {
    const glyph = Glyph.at(box, origin, this.text, this.style, this.object);
    glyph.spaced = this.spaced;
    glyph.hyphen = this.hyphen;
    return glyph;
  }
}
