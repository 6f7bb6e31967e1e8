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

const BASE64_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Five bits for each digit; the sixth bit is set when more digits follow. */
const BITS_PER_DIGIT = 5;
const CONTINUATION_BIT = 1 << BITS_PER_DIGIT;

/** Decodes a segment; the lowest bit of each number is its sign. */
function decodeSegment(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const letter of segment) {
    const digit = BASE64_DIGITS.indexOf(letter);
    value += (digit & (CONTINUATION_BIT - 1)) << shift;
    shift += BITS_PER_DIGIT;
    if ((digit & CONTINUATION_BIT) !== 0) continue;
    numbers.push((value & 1) === 0 ? value >> 1 : -(value >> 1));
    value = 0;
    shift = 0;
  }
  return numbers;
}

function encodeNumber(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = "";
  do {
    const digit = rest & (CONTINUATION_BIT - 1);
    rest >>= BITS_PER_DIGIT;
    text += BASE64_DIGITS[rest > 0 ? digit | CONTINUATION_BIT : digit];
  } while (rest > 0);
  return text;
}

/**
 * The position of a segment: generated column, source, its line, its column, name. Converts between differences and
 * absolute numbers.
 */
class SegmentPosition {
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
class UsedEntries {
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
export function keepOwnMappings<M extends SourceMap>(map: M, isOwn: (source: string) => boolean): M {
  const [from, to] = [new SegmentPosition(), new SegmentPosition()];
  const [sources, names] = [new UsedEntries(map.sources), new UsedEntries(map.names)];
  const own = map.sources.map(isOwn);
  const lines = map.mappings.split(";").map((line) => {
    from.newLine();
    to.newLine();
    let inside = true;
    const segments: string[] = [];
    for (const segment of line === "" ? [] : line.split(",")) {
      const [column = 0, source, sourceLine = 0, sourceColumn = 0, name] = from.after(decodeSegment(segment));
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
      segments.push(to.to(numbers).map(encodeNumber).join(""));
    }
    return segments.join(",");
  });
  return { ...map, sources: sources.values, names: names.values, mappings: lines.join(";") };
}
