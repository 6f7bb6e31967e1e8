/** Reads the members of an object one by one and reports every fault; a faulty member does not stop the others. */
import { type Findings, isObject, type Json, type JsonObject, pointTo, quote } from "./diagnostics.ts";

export interface TextRule {
  maxLength: number;
  pattern?: RegExp;
  /** The expected value in words. */
  description?: string;
}

export class MemberReader {
  readonly path: string;
  readonly findings: Findings;
  readonly #given: JsonObject;
  readonly #known = new Set<string>();
  readonly #doubled = new Set<string>();

  constructor(given: JsonObject, path: string, findings: Findings) {
    this.#given = given;
    this.path = path;
    this.findings = findings;
  }

  at(name: string): string {
    return pointTo(this.path, name);
  }

  fault(name: string, code: string, message: string): undefined {
    this.findings.fault(code, this.at(name), message);
    return undefined;
  }

  /** The first of these members that is present; an explicit null is absent. */
  take(...names: string[]): { name: string; value: Json } | undefined {
    for (const name of names) this.#known.add(name);
    const [first, ...others] = names.flatMap((name) => {
      const value = Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
      return value === undefined || value === null ? [] : [{ name, value }];
    });
    for (const { name } of others) if (first !== undefined) this.ignore(name, this.at(first.name));
    return first;
  }

  /** Warns once that a member is ignored in favour of another with the same meaning. */
  ignore(name: string, chosen: string): void {
    if (this.#doubled.has(name)) return;
    this.#doubled.add(name);
    this.findings.warn(`The member ${quote(name)} at ${this.path || "/"} is ignored, because ${chosen} says the same`);
  }

  /** Declares names as known, so that they are not reported as unknown. */
  know(...names: string[]): void {
    for (const name of names) this.#known.add(name);
  }

  /** Like `take`, but null is a value. */
  raw(name: string): Json | undefined {
    this.#known.add(name);
    return Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
  }

  text(
    names: string | readonly string[],
    { maxLength: most, pattern, description: what = "a text" }: TextRule,
  ): string | undefined {
    const found = this.take(...[names].flat());
    if (found === undefined) return undefined;
    const { name, value } = found;
    if (typeof value !== "string") return this.fault(name, "wrong-type", `${quote(name)} must be ${what}`);
    if (value.length > most) {
      return this.fault(
        name,
        "too-long",
        `${quote(name)} must have at most ${most.toLocaleString("en-US")} characters`,
      );
    }
    if (pattern !== undefined && !pattern.test(value)) {
      return this.fault(name, "invalid-value", `${quote(name)} must be ${what}`);
    }
    return value;
  }

  flag(name: string): boolean | undefined {
    const found = this.take(name);
    if (found === undefined) return undefined;
    if (typeof found.value === "boolean") return found.value;
    return this.fault(name, "wrong-type", `${quote(name)} must be true or false`);
  }

  integer(names: string | readonly string[], least: number, most: number): number | undefined {
    const found = this.take(...[names].flat());
    if (found === undefined) return undefined;
    const { name, value: given } = found;
    const value = typeof given === "string" && /^\d{1,15}$/.test(given) ? Number(given) : given;
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    const range = `from ${least} to ${most.toLocaleString("en-US")}`;
    return this.fault(name, "out-of-range", `${quote(name)} must be a whole number ${range}`);
  }

  /** Ignores case, and treats `-` and `_` alike. @returns the value as spelled in `values` */
  oneOf<Value extends string>(names: string | readonly string[], values: readonly Value[]): Value | undefined {
    const found = this.take(...[names].flat());
    if (found === undefined) return undefined;
    const { name, value } = found;
    const plain = (text: string): string => text.toLowerCase().replaceAll("-", "_");
    const match = typeof value === "string" ? values.find((one) => plain(one) === plain(value)) : undefined;
    if (match !== undefined) return match;
    return this.fault(name, "invalid-value", `${quote(name)} must be one of ${values.join(", ")}`);
  }

  object(...names: string[]): MemberReader | undefined {
    const found = this.take(...names);
    if (found === undefined) return undefined;
    const { name, value } = found;
    if (isObject(value)) return new MemberReader(value, this.at(name), this.findings);
    return this.fault(name, "wrong-type", `${quote(name)} must be an object`);
  }

  /** True when the member is absent or an object. */
  isFit(name: string): boolean {
    const found = this.take(name);
    return found === undefined || isObject(found.value);
  }

  list(names: string | readonly string[], most: number): { name: string; items: Json[] } | undefined {
    const found = this.take(...[names].flat());
    if (found === undefined) return undefined;
    const { name, value } = found;
    if (!Array.isArray(value)) return this.fault(name, "wrong-type", `${quote(name)} must be a list`);
    if (value.length > most) {
      return this.fault(name, "too-many", `${quote(name)} must have at most ${most.toLocaleString("en-US")} entries`);
    }
    return { name, items: value };
  }

  /** Warns about members that were not read; they are ignored. */
  warnOfOthers(): void {
    for (const name of Object.keys(this.#given)) {
      if (!this.#known.has(name))
        this.findings.warn(`The member ${quote(name)} at ${this.path || "/"} is unknown and ignored`);
    }
  }

  /** The names of all members. */
  names(): string[] {
    return Object.keys(this.#given);
  }
}
