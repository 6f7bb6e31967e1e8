/** Faults and warnings of a definition; a compilation reports all of them at once. */

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

export interface Diagnostic {
  /** Short and stable, such as `unknown-node`. */
  code: string;
  /** JSON Pointer into the definition. */
  path: string;
  /** A sentence for the author of the definition. */
  message: string;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Appends a step to a JSON Pointer. Source: RFC 6901. */
export const pointTo = (path: string, step: string | number): string =>
  `${path}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** A name in quotation marks, shortened for messages. */
export const quote = (name: string): string => `"${name.length > 80 ? `${name.slice(0, 79)}…` : name}"`;

/** Limit of faults and of warnings: more than anyone fixes at once. */
const MAX_FINDINGS = 200;
/** Warnings are stored with the run, and may quote names of the definition. */
const MAX_WARNING_CHARACTERS = 400;

/** A fault's path; a longer one is cut, because each repeats the names around its place. */
const MAX_PATH_CHARACTERS = 1000;

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Collects the faults and warnings of the passes. */
export class Findings {
  readonly #faults: Diagnostic[] = [];
  readonly #warnings: string[] = [];
  #moreFaults = 0;
  #moreWarnings = 0;

  fault(code: string, path: string, message: string): void {
    if (this.#faults.length >= MAX_FINDINGS) this.#moreFaults += 1;
    else this.#faults.push(Object.freeze({ code, path: cut(path, MAX_PATH_CHARACTERS), message }));
  }

  /** Reports an oddity that stops nothing. */
  warn(sentence: string): void {
    if (this.#warnings.length >= MAX_FINDINGS) this.#moreWarnings += 1;
    else this.#warnings.push(cut(sentence, MAX_WARNING_CHARACTERS));
  }

  get faults(): readonly Diagnostic[] {
    const more = this.#moreFaults;
    if (more === 0) return this.#faults;
    return [...this.#faults, { code: "more-faults", path: "", message: `There are ${more} more faults` }];
  }

  get warnings(): readonly string[] {
    const more = this.#moreWarnings;
    return more === 0 ? this.#warnings : [...this.#warnings, `There are ${more} more warnings`];
  }
}
