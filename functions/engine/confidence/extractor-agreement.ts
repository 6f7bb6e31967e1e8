/** Agreement of a second extractor with the values of the same fields. */
import type { Json } from "../../ports/json.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { type Leaf, leavesOf } from "../schema/result-leaves.ts";
import type { Shape } from "../schema/schema-shape.ts";
import type { DateOrder } from "../values/dates.ts";
import { lettersAndDigits } from "../values/letters-and-digits.ts";
import { dayOf } from "./value-checks.ts";

/** The second extractor has the same value, another value, or none. */
export type Agreement = "agrees" | "differs" | "silent";

/** The result of a second extractor, with its sources. */
export interface SecondResult {
  result: Json;
  sources: Pick<SourceLocations, "locations">;
}

const EQUAL_NUMBER_TOLERANCE = 0.005;
/** Minimum length of a name that matches with more or fewer words. */
const MIN_NAME_CHARACTERS = 5;

function valuesAgree(a: Leaf["value"], b: Leaf["value"], order: DateOrder): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) < EQUAL_NUMBER_TOLERANCE;
  if (typeof a === "boolean" || typeof b === "boolean") return a === b;
  const days = [dayOf(a, order), dayOf(b, order)];
  if (days[0] !== null && days[1] !== null) return days[0] === days[1];
  const [x, y] = [lettersAndDigits(String(a)), lettersAndDigits(String(b))];
  if (x === y) return true;
  if (/\d/.test(x + y)) return false;
  const [short, long] = x.length < y.length ? [x, y] : [y, x];
  return short.length >= MIN_NAME_CHARACTERS && long.includes(short);
}

export class ExtractorAgreement {
  readonly #singles = new Map<string, Leaf["value"]>();
  /** Cells by row and path: the extractors may number rows differently. */
  readonly #cells = new Map<string, Leaf["value"][]>();
  readonly #order: DateOrder;

  /** @param rowOf row of a word, by the word's reference */
  constructor(
    second: SecondResult | null,
    shape: Shape | null,
    order: DateOrder,
    rowOf: (reference: string) => number | undefined,
  ) {
    this.#order = order;
    if (second === null) return;
    for (const leaf of leavesOf(second.result, shape, new Set()).values) {
      if (leaf.item === null) {
        this.#singles.set(leaf.pointer, leaf.value);
        continue;
      }
      const location = Object.hasOwn(second.sources.locations, leaf.pointer)
        ? second.sources.locations[leaf.pointer]
        : undefined;
      const row = location?.sourceRefs[0] === undefined ? undefined : rowOf(location.sourceRefs[0]);
      if (row === undefined) continue;
      const key = `${row} ${leaf.path}`;
      const list = this.#cells.get(key);
      if (list === undefined) this.#cells.set(key, [leaf.value]);
      else list.push(leaf.value);
    }
  }

  /** @param row of the cell's item; the cell itself may have been found on another row */
  agreementOn(leaf: Leaf, row: number | undefined): Agreement {
    if (leaf.item === null) {
      const other = this.#singles.get(leaf.pointer);
      if (other === undefined) return "silent";
      return valuesAgree(leaf.value, other, this.#order) ? "agrees" : "differs";
    }
    const others = row === undefined ? undefined : this.#cells.get(`${row} ${leaf.path}`);
    if (others === undefined) return "silent";
    return others.some((other) => valuesAgree(leaf.value, other, this.#order)) ? "agrees" : "differs";
  }
}
