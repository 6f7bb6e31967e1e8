/** Dates by a pattern of Unicode (UTS 35): `d MMMM yyyy`, `dd.MM.yy`, `EEEE, d. MMM`. */

/** Letters of a pattern that stand for something, runs of one letter. */
const PATTERN = /'([^']*)'|y+|M+|L+|d+|E+|H+|h+|m+|s+|a|[^A-Za-z']+|[A-Za-z]/g;
const KNOWN = /^(?:y{1,4}|M{1,4}|L{1,4}|d{1,2}|E{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|a)$/;
/** ISO 8601: a date, with a time or without; the zone is passed over, because the time is meant as it stands. */
const DATE =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})?)?\s*$/i;
/** Longest pattern, in characters. */
const MAX_PATTERN = 100;

const isLetter = (token: string): boolean => /^[A-Za-z]/.test(token);

/** True for a pattern with at least one part of a date, and no letters without a meaning. */
export function isDatePattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return false;
  const letters = (pattern.match(PATTERN) ?? []).filter(isLetter);
  return letters.length > 0 && letters.every((token) => KNOWN.test(token));
}

/** The date of a text; undefined for one that is none. */
function readDate(text: string): Date | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second));
  // 31 April rolls over, and is no date.
  return date.getUTCMonth() === (month ?? 1) - 1 && date.getUTCDate() === day ? date : undefined;
}

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

/** The name of a month or a weekday, in the form that it has beside a day where the pattern has one. */
function nameOf(date: Date, locale: string, part: "month" | "weekday", long: boolean, withDay: boolean): string {
  const style = long ? "long" : "short";
  const format = new Intl.DateTimeFormat(locale, {
    [part]: style,
    ...(withDay ? { day: "numeric" } : {}),
    timeZone: "UTC",
    calendar: "gregory",
  });
  return format.formatToParts(date).find(({ type }) => type === part)?.value ?? "";
}

function writeToken(token: string, date: Date, locale: string, hasDay: boolean): string {
  const width = token.length;
  switch (token[0]) {
    case "y":
      return width === 2 ? pad(date.getUTCFullYear() % 100, 2) : pad(date.getUTCFullYear(), width);
    case "M":
    case "L":
      if (width <= 2) return pad(date.getUTCMonth() + 1, width);
      return nameOf(date, locale, "month", width === 4, hasDay && token.startsWith("M"));
    case "d":
      return pad(date.getUTCDate(), width);
    case "E":
      return nameOf(date, locale, "weekday", width === 4, false);
    case "H":
      return pad(date.getUTCHours(), width);
    case "h":
      return pad(date.getUTCHours() % 12 || 12, width);
    case "m":
      return pad(date.getUTCMinutes(), width);
    case "s":
      return pad(date.getUTCSeconds(), width);
    default:
      return date.getUTCHours() < 12 ? "AM" : "PM";
  }
}

/** @returns undefined for a text that is no date */
export function formatDate(text: string, pattern: string, locale: string): string | undefined {
  const date = readDate(text);
  if (date === undefined) return undefined;
  const hasDay = /d/.test(pattern.replaceAll(/'[^']*'/g, ""));
  return pattern.replaceAll(PATTERN, (token, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted === "" ? "'" : quoted;
    return isLetter(token) ? writeToken(token, date, locale, hasDay) : token;
  });
}
