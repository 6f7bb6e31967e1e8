/**
 * Reduces the source map of a bundle to the project's own sources. Node reads the map before the bundle runs, so its
 * size delays every start.
 * Source: ECMA-426, "Source map format": mappings are lines of segments; a segment is a list of differences to the
 * segment before.
 */
export interface SourceMap {
  sources: string[];
  names: string[];
  mappings: string;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Five bits for each digit; the sixth bit is set when more digits follow. */
const BITS = 5;
const MORE = 1 << BITS;

/** Decodes a segment; the lowest bit of each number is its sign. */
function numbersOf(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter);
    value += (digit & (MORE - 1)) << shift;
    shift += BITS;
    if ((digit & MORE) !== 0) continue;
    numbers.push((value & 1) === 0 ? value >> 1 : -(value >> 1));
    value = 0;
    shift = 0;
  }
  return numbers;
}

function textOf(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = "";
  do {
    const digit = rest & (MORE - 1);
    rest >>= BITS;
    text += DIGITS[rest > 0 ? digit | MORE : digit];
  } while (rest > 0);
  return text;
}

/**
 * The position of a segment: generated column, source, its line, its column, name. Converts between differences and
 * absolute numbers.
 */
class Place {
  readonly #at = [0, 0, 0, 0, 0];

  newLine(): void {
    this.#at[0] = 0;
  }

  /** Absolute numbers from differences. */
  after(differences: readonly number[]): number[] {
    return differences.map((difference, member) => {
      const now = (this.#at[member] ?? 0) + difference;
      this.#at[member] = now;
      return now;
    });
  }

  /** Differences from absolute numbers. */
  to(numbers: readonly number[]): number[] {
    return numbers.map((number, member) => {
      const difference = number - (this.#at[member] ?? 0);
      this.#at[member] = number;
      return difference;
    });
  }
}

/** Renumbers the entries of a list that are in use. */
class Kept {
  readonly values: string[] = [];
  readonly #all: readonly string[];
  readonly #indexes = new Map<number, number>();

  constructor(all: readonly string[]) {
    this.#all = all;
  }

  indexOf(old: number): number {
    const known = this.#indexes.get(old);
    if (known !== undefined) return known;
    this.#indexes.set(old, this.values.length);
    return this.values.push(this.#all[old] ?? "") - 1;
  }
}

/** @param isOwn true for sources whose mappings are kept; all others become unmapped */
export function ownPlaces<M extends SourceMap>(map: M, isOwn: (source: string) => boolean): M {
  const [from, to] = [new Place(), new Place()];
  const [sources, names] = [new Kept(map.sources), new Kept(map.names)];
  const own = map.sources.map(isOwn);
  const lines = map.mappings.split(";").map((line) => {
    from.newLine();
    to.newLine();
    let inside = true;
    const segments: string[] = [];
    for (const segment of line === "" ? [] : line.split(",")) {
      const [column = 0, source, sourceLine = 0, sourceColumn = 0, name] = from.after(numbersOf(segment));
      const wasInside = inside;
      inside = source !== undefined && own[source] === true;
      // One unmapped segment ends the mapping before it.
      if (!inside && !wasInside) continue;
      const numbers =
        inside && source !== undefined
          ? [
              column,
              sources.indexOf(source),
              sourceLine,
              sourceColumn,
              ...(name === undefined ? [] : [names.indexOf(name)]),
            ]
          : [column];
      segments.push(to.to(numbers).map(textOf).join(""));
    }
    return segments.join(",");
  });
  return { ...map, sources: sources.values, names: names.values, mappings: lines.join(";") };
}
