/** The notation that a date field asks for, as the words beside it print it. */

/** Notation of dates whose form prints none: ISO 8601, which nobody reads another way. */
const DEFAULT_PATTERN = "yyyy-mm-dd";
/** Parts of a printed notation with their separators: `MM/DD/YYYY`, `dd.mm.yy`. */
const PRINTED = /(?<![A-Za-z])([dmy]{1,4})\s?([/.\- ])\s?([dmy]{1,4})\s?\2\s?([dmy]{1,4})(?![A-Za-z])/iu;
const UNSEPARATED = /(?<![A-Za-z])(?:mmddyyyy|ddmmyyyy|yyyymmdd|mmddyy|ddmmyy|yymmdd)(?![A-Za-z])/iu;
/** Notation of dates with a cell for each digit, by the number of cells. */
const CELL_PATTERNS: Readonly<Record<number, string>> = { 6: "mmddyy", 8: "mmddyyyy" };

const kindsOf = (parts: readonly string[]): string => [...new Set(parts.map((part) => part[0]))].sort().join("");
const isOneLetter = (part: string): boolean => new Set(part).size === 1;

/** The notation that a label prints; undefined where it prints none. */
export function printedPattern(label: string): string | undefined {
  const text = label.toLowerCase();
  const unseparated = UNSEPARATED.exec(text)?.[0];
  if (unseparated !== undefined) return unseparated;
  const [, first = "", separator = "", second = "", third = ""] = PRINTED.exec(text) ?? [];
  const parts = [first, second, third];
  if (kindsOf(parts) !== "dmy" || !parts.every(isOneLetter)) return undefined;
  return parts.map((part) => (part.startsWith("y") && part.length === 3 ? "yyyy" : part)).join(separator);
}

/**
 * The notation of a date field: the one that its label prints, else one that its cells take, else ISO 8601.
 * @param cells cells for single characters; absent: one line
 */
export function datePattern(label: string, cells?: number): string | undefined {
  const printed = printedPattern(label);
  if (cells === undefined) return printed ?? DEFAULT_PATTERN;
  if (printed !== undefined) {
    if (printed.length === cells) return printed;
    const bare = printed.replaceAll(/[^dmy]/gu, "");
    if (bare.length === cells) return bare;
  }
  return CELL_PATTERNS[cells];
}
