/** Dates in a field's own format, which its JavaScript names (Acrobat Forms API: AFDate_FormatEx, AFDate_Format). */

/** The patterns that AFDate_Format numbers. */
const NUMBERED_PATTERNS = [
  "m/d",
  "m/d/yy",
  "mm/dd/yy",
  "mm/yy",
  "d-mmm",
  "d-mmm-yy",
  "dd-mmm-yy",
  "yy-mm-dd",
  "mmm-yy",
  "mmmm-yy",
  "mmm d, yyyy",
  "mmmm d, yyyy",
  "m/d/yy h:MM tt",
  "m/d/yy HH:MM",
] as const;

const NAMED = /AFDate_(?:Format|Keystroke)Ex\s*\(\s*(["'])([^"'\n]{1,60})\1/u;
const NUMBERED = /AFDate_(?:Format|Keystroke)\s*\(\s*(\d{1,2})\s*\)/u;

/** The date pattern that a field's script names; null for a script without one. */
export function datePatternOf(script: string | null): string | null {
  if (script === null) return null;
  const named = NAMED.exec(script)?.[2];
  if (named !== undefined) return named;
  const index = NUMBERED.exec(script)?.[1];
  return index === undefined ? null : (NUMBERED_PATTERNS[Number(index)] ?? null);
}

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u;

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Letters of a pattern, the longest first; anything after a backslash stands for itself. */
const PATTERN_PART = /\\.|yyyy|yy|mmmm|mmm|mm|m|dddd|ddd|dd|d|HH|H|hh|h|MM|M|ss|s|tt|t|./gsu;

const two = (value: number): string => String(value).padStart(2, "0");

/**
 * Writes an ISO 8601 date in a pattern of Acrobat's. @returns undefined for a text that is no ISO date of the calendar,
 * which the caller keeps as it is
 */
export function formatDate(text: string, pattern: string): string | undefined {
  const parts = ISO_DATE.exec(text.trim());
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59) return undefined;
  const monthName = MONTHS[month - 1] ?? "";
  const dayName = DAYS[date.getUTCDay()] ?? "";
  const half = hour % 12 === 0 ? 12 : hour % 12;
  const values: Record<string, string> = {
    yyyy: String(year).padStart(4, "0"),
    yy: two(year % 100),
    mmmm: monthName,
    mmm: monthName.slice(0, 3),
    mm: two(month),
    m: String(month),
    dddd: dayName,
    ddd: dayName.slice(0, 3),
    dd: two(day),
    d: String(day),
    HH: two(hour),
    H: String(hour),
    hh: two(half),
    h: String(half),
    MM: two(minute),
    M: String(minute),
    ss: two(second),
    s: String(second),
    tt: hour < 12 ? "am" : "pm",
    t: hour < 12 ? "a" : "p",
  };
  return pattern.replaceAll(PATTERN_PART, (part) => values[part] ?? (part.startsWith("\\") ? part.slice(1) : part));
}
