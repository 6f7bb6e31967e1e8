/** How much text one request may have set: setting takes time, which a template and a request together could multiply. */
import { badValue } from "../field-values.ts";

/** Most characters of one field's value: no page holds as many, and setting them takes about a quarter of a second. */
const MAX_VALUE_CHARACTERS = 100_000;
/** Most characters set in all widgets of a form: about three seconds of work. */
const MAX_SET_CHARACTERS = 1_000_000;

/** Counts the characters that a request has set. */
export class TextBudget {
  #left = MAX_SET_CHARACTERS;

  /**
   * Spends what a field's text costs in all its widgets.
   * @throws BadRequest for a value that is too long, or that is too much with those before it
   */
  spend(field: string, text: string, widgets: number): void {
    if (text.length > MAX_VALUE_CHARACTERS) {
      throw badValue(
        field,
        `The field ${field} takes ${MAX_VALUE_CHARACTERS} characters at most; the value has ${text.length}`,
      );
    }
    this.#left -= text.length * Math.max(1, widgets);
    if (this.#left < 0) {
      throw badValue(
        field,
        `With the field ${field} the values have more than ${MAX_SET_CHARACTERS} characters, counted in every place that shows them; send less text`,
      );
    }
  }
}
