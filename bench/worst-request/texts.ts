/** Texts that grow to a size by one thing in them. */

/** Makes a text of about this many characters. */
export type Growing = (size: number) => string;

/** Repeats a unit, numbered from 0, between two ends. */
export const repeated =
  (unit: (at: number) => string, open = "", close = "", separator = ","): Growing =>
  (size) => {
    const parts: string[] = [];
    for (let length = open.length + close.length; length < size; ) {
      const part = unit(parts.length);
      parts.push(part);
      length += part.length + separator.length;
    }
    // At least one, and not over the size.
    return open + (parts.length > 1 ? parts.slice(0, -1) : parts).join(separator) + close;
  };

/** Wraps a core as often as fits. */
export const nested =
  (open: string, core: string, close: string, most = Number.POSITIVE_INFINITY): Growing =>
  (size) => {
    const times = Math.min(most, Math.max(1, Math.floor((size - core.length) / (open.length + close.length))));
    return open.repeat(times) + core + close.repeat(times);
  };

/** A text between two ends that is long. */
export const long =
  (unit: string, open = "", close = ""): Growing =>
  (size) =>
    open + unit.repeat(Math.max(1, Math.floor((size - open.length - close.length) / unit.length))) + close;

/** A growing text inside another one. */
export const inside =
  (open: string, grown: Growing, close: string): Growing =>
  (size) =>
    open + grown(size - open.length - close.length) + close;

/** Growing texts inside others, with their names kept. */
export const allInside = (open: string, grown: Readonly<Record<string, Growing>>, close: string) =>
  Object.fromEntries(Object.entries(grown).map(([name, one]) => [name, inside(open, one, close)]));
