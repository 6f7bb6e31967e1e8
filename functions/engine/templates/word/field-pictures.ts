/** Pictures of merge fields, `\@ "d MMMM yyyy"` and `\# "#,##0.00"`, by the formats that tags have. */
import type { Json } from "../../../ports/json.ts";
import { isDatePattern } from "../office/date-patterns.ts";
import type { TagFilter } from "../office/tag-expression.ts";
import { applyFilters } from "../office/tag-formats.ts";

/** The look of a date or a number, as a field's instruction states it. */
export type FieldPicture =
  | {
      kind: "date";
      /** In Unicode's letters, as tags have it. */
      pattern: string;
    }
  | {
      kind: "number";
      /** Texts around the digits. */
      before: string;
      after: string;
      /** Sign between thousands; empty for none. */
      group: string;
      decimal: string;
      /** Digits after the point, and the least ones before it. */
      digits: number;
      least: number;
    };

const DATE_PARTS = /'[^']*'|AM\/PM|am\/pm|([dDMyYhHmsS])\1*|[^A-Za-z']+/gu;
/** Parts of a date by Word's letters, where they are not Unicode's. */
const DATE_LETTERS: ReadonlyMap<string, string> = new Map([
  ["ddd", "EEE"],
  ["dddd", "EEEE"],
  ["AM/PM", "a"],
  ["am/pm", "a"],
  ["''", ""],
]);
const DATE_PART = /^(?:d{1,4}|M{1,4}|yy|yyyy|h{1,2}|H{1,2}|m{1,2}|s{1,2})$/u;

/** Reads the picture of a date; undefined for one that is not supported. */
export function datePicture(picture: string): FieldPicture | undefined {
  let pattern = "";
  let at = 0;
  for (const match of picture.matchAll(DATE_PARTS)) {
    const [whole, letter] = match;
    // These letters mean the same in capitals.
    const part = letter === undefined ? whole : whole.replaceAll(/[DYS]/gu, (sign) => sign.toLowerCase());
    if (match.index !== at || (letter !== undefined && !DATE_PART.test(part))) return undefined;
    pattern += DATE_LETTERS.get(part) ?? part;
    at += whole.length;
  }
  return at === picture.length && isDatePattern(pattern) ? { kind: "date", pattern } : undefined;
}

const NUMBER = /^((?:'[^']*'|[^\d#,.;xX+'"`-])*)([#0,.]+)((?:'[^']*'|[^\d#,.;xX+'"`-])*)$/u;
/** Most digits after the point, as the format of numbers takes them. */
const MAX_DIGITS = 20;

/** The signs of a picture; one sign alone is between thousands where it is first or before `##0`. */
function separators(places: string): { group: string; decimal: string } {
  const signs = places.match(/[.,]/gu) ?? [];
  const [first = ""] = signs;
  const last = signs.at(-1) ?? "";
  if (first !== last) return { group: first, decimal: last };
  const isGroup = signs.length > 1 || places.startsWith(first) || /^#.{2}$/u.test(places.split(first)[1] ?? "");
  return isGroup ? { group: first, decimal: "" } : { group: "", decimal: last };
}

/** Reads the picture of a number; undefined for one that is not supported. Its signs are its own, in any language. */
export function numberPicture(picture: string): FieldPicture | undefined {
  const [, before = "", places, after = ""] = NUMBER.exec(picture) ?? [];
  if (places === undefined || !/[#0]/u.test(places)) return undefined;
  const { group, decimal } = separators(places);
  const [whole = "", fraction = "", ...others] = decimal === "" ? [places] : places.split(decimal);
  const integer = group === "" ? whole : whole.replaceAll(group, "");
  const least = integer.replaceAll("#", "").length;
  const isPlain = /^#*0*$/u.test(integer) && /^0*$/u.test(fraction) && others.length === 0;
  if (!isPlain || fraction.length > MAX_DIGITS || (group !== "" && least > 1)) return undefined;
  const plain = (text: string): string => text.replaceAll("'", "");
  return { kind: "number", before: plain(before), after: plain(after), group, decimal, digits: fraction.length, least };
}

/** The filters of a tag that asks for the same; a date is written in a language. */
export const filtersOf = (picture: FieldPicture | undefined, language: string): TagFilter[] => {
  if (picture === undefined) return [];
  if (picture.kind === "date") return [{ name: "format", args: [picture.pattern, language] }];
  return [{ name: "number", args: ["en", picture.digits] }];
};

/** A number as English writes it, with the signs of the picture. */
function withSigns(text: string, { before, after, group, decimal, least }: FieldPicture & { kind: "number" }): string {
  const [whole = "", fraction] = text.replace("-", "").split(".");
  const digits = whole.replaceAll(",", group);
  const integer = least === 0 && digits === "0" ? "" : digits.padStart(least, "0");
  // A number that is rounded to nothing has no sign.
  const minus = text.startsWith("-") && /[1-9]/u.test(text) ? "-" : "";
  return `${minus}${before}${integer}${fraction === undefined ? "" : `${decimal}${fraction}`}${after}`;
}

/** A value in a picture; absent ones are empty. @throws BadRequest for a value that is no date or number */
export function inPicture(picture: FieldPicture, language: string, field: string, value: Json): string {
  const text = String(applyFilters(value, filtersOf(picture, language), field) ?? "");
  return picture.kind === "number" && text !== "" ? withSigns(text, picture) : text;
}
