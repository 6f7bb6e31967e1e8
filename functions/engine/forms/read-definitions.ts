/** Reads definitions of fields that a client sends back after a review, and names every fault. */
import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import {
  type EntryBox,
  FIELD_SOURCES,
  FIELD_TYPES,
  type FieldDefinition,
  type FieldSource,
  REVIEW_STATUSES,
} from "./field-definition.ts";

/** Most definitions of a request: those of a form of 50 pages with 400 fields each. */
export const MAX_DEFINITIONS = 20_000;
/** Most characters of a name, and of a label, an id, a group or an option. */
export const MAX_NAME_CHARACTERS = 200;
export const MAX_LABEL_CHARACTERS = 2_000;
/** Most choices of a field; the list of all countries has 250. */
export const MAX_OPTIONS = 1_000;
/** Most cells of a text; an IBAN has 34. */
export const MAX_COMB_CELLS = 100;
/** Share of the page by which a box may stand over its edge: rounding, which is cut off. */
const EDGE_TOLERANCE = 0.002;
/** Most faults that a refusal lists. */
const MAX_FAULTS = 100;

const DEFAULT_SOURCE: FieldSource = "box";

class Faults {
  readonly found: MemberFault[] = [];

  add(path: string, message: string): void {
    if (this.found.length < MAX_FAULTS) this.found.push({ path, message });
  }

  throwAny(): void {
    const [first, ...others] = this.found;
    if (first === undefined) return;
    const more = others.length === 0 ? "" : ` (and ${others.length} more: see errors)`;
    throw new BadRequest(`Invalid field definitions: ${first.path} ${first.message}${more}`, { errors: this.found });
  }
}

/** A word of an enumeration, in any case, `-` read as `_`. */
function wordOf<Word extends string>(words: readonly Word[], value: Json | undefined): Word | undefined {
  if (typeof value !== "string") return undefined;
  const wanted = value.trim().toLowerCase().replaceAll("-", "_");
  return words.find((word) => word.toLowerCase() === wanted);
}

/** Reads the members of one definition. */
class DefinitionReader {
  readonly #given: JsonObject;
  readonly #path: string;
  readonly #faults: Faults;

  constructor(given: JsonObject, path: string, faults: Faults) {
    this.#given = given;
    this.#path = path;
    this.#faults = faults;
  }

  fault(name: string, message: string): void {
    this.#faults.add(`${this.#path}/${name}`, message);
  }

  /** The member, null as absent. */
  member(name: string): Json | undefined {
    return own(this.#given, name) ?? undefined;
  }

  text(name: string, most: number, otherwise?: string): string {
    const value = this.member(name);
    if (value === undefined && otherwise !== undefined) return otherwise;
    if (typeof value === "string" && value.length <= most && (otherwise !== undefined || value.trim() !== "")) {
      return value;
    }
    this.fault(name, `must be a text of ${otherwise === undefined ? 1 : 0} to ${most} characters`);
    return "";
  }

  integer(name: string, most: number): number | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most) return value;
    this.fault(name, `must be an integer from 1 to ${most}`);
    return undefined;
  }

  word<Word extends string>(name: string, words: readonly Word[], otherwise?: Word): Word | undefined {
    const value = this.member(name);
    const found = value === undefined ? otherwise : wordOf(words, value);
    if (found === undefined) this.fault(name, `must be one of ${words.join(", ")}`);
    return found;
  }

  share(name: string): number {
    const value = this.member(name) ?? 1;
    if (typeof value === "number" && value >= 0 && value <= 1) return value;
    this.fault(name, "must be a number from 0 to 1");
    return 0;
  }

  flag(name: string): boolean {
    const value = this.member(name) ?? false;
    if (typeof value !== "boolean") this.fault(name, "must be true or false");
    return value === true;
  }

  options(): string[] {
    const value = this.member("options") ?? [];
    const isOption = (one: Json): one is string => typeof one === "string" && one.length <= MAX_LABEL_CHARACTERS;
    if (Array.isArray(value) && value.length <= MAX_OPTIONS && value.every(isOption)) return [...new Set(value)];
    this.fault("options", `must be a list of at most ${MAX_OPTIONS} texts`);
    return [];
  }

  box(): EntryBox {
    const value = this.member("entryBbox");
    const box = { left: 0, top: 0, right: 0, bottom: 0 };
    const faults: string[] = [];
    for (const side of ["left", "top", "right", "bottom"] as const) {
      const share = isObject(value) ? own(value, side) : undefined;
      const isOnPage = typeof share === "number" && share >= -EDGE_TOLERANCE && share <= 1 + EDGE_TOLERANCE;
      if (isOnPage) box[side] = Math.max(0, Math.min(1, share));
      else faults.push(side);
    }
    if (faults.length > 0) {
      this.fault("entryBbox", `must lie on the page: ${faults.join(", ")} must be numbers from 0 to 1`);
    } else if (box.left >= box.right || box.top >= box.bottom) {
      this.fault("entryBbox", "must have an area: left below right, top below bottom");
    }
    return box;
  }
}

function readDefinition(reader: DefinitionReader, index: number, pageCount: number): FieldDefinition {
  const pageNumber = reader.integer("pageNumber", pageCount);
  if (pageNumber === undefined && reader.member("pageNumber") === undefined) {
    reader.fault("pageNumber", `must be an integer from 1 to ${pageCount}`);
  }
  const [group, comb] = [reader.text("group", MAX_NAME_CHARACTERS, ""), reader.integer("comb", MAX_COMB_CELLS)];
  return {
    id: reader.text("id", MAX_NAME_CHARACTERS, `sent${index + 1}`),
    pageNumber: pageNumber ?? 1,
    fieldName: reader.text("fieldName", MAX_NAME_CHARACTERS),
    fieldType: reader.word("fieldType", FIELD_TYPES) ?? "text",
    label: reader.text("label", MAX_LABEL_CHARACTERS, ""),
    entryBbox: reader.box(),
    confidence: reader.share("confidence"),
    required: reader.flag("required"),
    options: reader.options(),
    reviewStatus: reader.word("reviewStatus", REVIEW_STATUSES, "accepted") ?? "accepted",
    source: reader.word("source", FIELD_SOURCES, DEFAULT_SOURCE) ?? DEFAULT_SOURCE,
    ...(group === "" ? {} : { group }),
    ...(comb === undefined ? {} : { comb }),
  };
}

/**
 * Reads a list of definitions. A definition may leave out what has a default: `confidence` 1, `reviewStatus` accepted,
 * `source` box, the others nothing.
 * @param given the list as sent @param pageCount pages of the document
 * @throws BadRequest naming the faults by their index
 */
export function readDefinitions(given: Json, pageCount: number): FieldDefinition[] {
  if (!Array.isArray(given)) throw new BadRequest("The field definitions are no list");
  if (given.length > MAX_DEFINITIONS) {
    const message = `must have at most ${MAX_DEFINITIONS.toLocaleString("en-US")} definitions; split the document`;
    throw new BadRequest(`fieldDefinitions ${message}`, { errors: [{ path: "/fieldDefinitions", message }] });
  }
  const faults = new Faults();
  const definitions = given.flatMap((one, index): FieldDefinition[] => {
    const path = `/fieldDefinitions/${index}`;
    if (isObject(one)) return [readDefinition(new DefinitionReader(one, path, faults), index, pageCount)];
    faults.add(path, "must be an object");
    return [];
  });
  faults.throwAny();
  return definitions;
}
