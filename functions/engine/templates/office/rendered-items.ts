/** The budget of one fill: nested loops multiply, so that a small request can ask for a document without end. */
import { BadRequest } from "../../../ports/errors.ts";

/** Most repetitions of loops in a fill, of all loops together: far more pages than anyone reads. */
export const MAX_RENDERED_ITEMS = 100_000;
/** Most characters of values in a filled document: the inflated size that a part of a document may have. */
const MAX_RENDERED_CHARACTERS = 64_000_000;
/** Most elements of markup that loops repeat; a table row of ten cells has about a hundred. */
const MAX_RENDERED_ELEMENTS = 3_000_000;

const tooMany = (what: string): BadRequest =>
  new BadRequest(`The values would fill in more than ${what}; send fewer items, or fill several documents`);

export class RenderedItems {
  #items = 0;
  #characters = 0;
  #elements = 0;

  /** Counts a repetition of a loop's content. @throws BadRequest beyond the limit */
  add(items = 1): void {
    this.#items += items;
    if (this.#items > MAX_RENDERED_ITEMS) throw tooMany(`${MAX_RENDERED_ITEMS.toLocaleString("en-US")} items of loops`);
  }

  /** Counts a value's text. @throws BadRequest beyond the limit */
  addText(characters: number): void {
    this.#characters += characters;
    if (this.#characters > MAX_RENDERED_CHARACTERS) {
      throw tooMany(`${MAX_RENDERED_CHARACTERS.toLocaleString("en-US")} characters`);
    }
  }

  /** Counts markup that is repeated. @throws BadRequest beyond the limit */
  addElements(elements: number): void {
    this.#elements += elements;
    if (this.#elements > MAX_RENDERED_ELEMENTS) {
      throw tooMany(`${MAX_RENDERED_ELEMENTS.toLocaleString("en-US")} elements of markup`);
    }
  }
}
