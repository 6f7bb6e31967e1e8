/** A text that must not be written anywhere in clear: JSON leaves it out, and logs show that there is one. */
import { inspect } from "node:util";

export class SecretText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself, for the one use that it is for. */
  reveal(): string {
    return this.#text;
  }

  toJSON(): undefined {
    return undefined;
  }

  toString(): string {
    return "[secret]";
  }

  [inspect.custom](): string {
    return "[secret]";
  }
}
