/** The values of a request, matched with the fields of a form. */
import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import { isObject, type Json } from "../../ports/json.ts";
import { isImageReference } from "./template.ts";

/** Levels of nested objects; names of real fields have fewer parts. */
const MAX_DEPTH = 64;

export interface MatchedValues {
  byName: Map<string, Json>;
  /** Full names, in the request's order. */
  unknown: string[];
}

/**
 * Spreads nested objects into full names: `{"address": {"street": …}}` is `address.street`. A name that the form has is
 * not spread further.
 */
export function matchValues(fields: { readonly [name: string]: Json }, known: ReadonlySet<string>): MatchedValues {
  const byName = new Map<string, Json>();
  const unknown: string[] = [];
  const spread = (members: { readonly [name: string]: Json }, above: string, depth: number): void => {
    for (const [own, value] of Object.entries(members)) {
      const name = above === "" ? own : `${above}.${own}`;
      if (known.has(name)) byName.set(name, value);
      else if (isObject(value) && !isImageReference(value) && depth < MAX_DEPTH && Object.keys(value).length > 0) {
        spread(value, name, depth + 1);
      } else unknown.push(name);
    }
  };
  spread(fields, "", 0);
  return { byName, unknown };
}

const pointerTo = (name: string): string => `/fields/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The refusal of a field's value. */
export const badValue = (name: string, message: string): BadRequest =>
  new BadRequest(message, { errors: [{ path: pointerTo(name), message }] });

/** One refusal for the faults of several values. */
export function joinFaults(errors: MemberFault[]): BadRequest {
  const [first, ...others] = errors;
  const more =
    others.length === 0 ? "" : ` (and ${others.length} more fault${others.length === 1 ? "" : "s"}: see errors)`;
  return new BadRequest(`${first?.message ?? "A value is refused"}${more}`, { errors });
}

/** Most names that a refusal lists. */
const MAX_NAMES = 20;

/** Names in a sentence, cut after the first twenty. */
export const listNames = (names: readonly string[]): string =>
  names.length <= MAX_NAMES
    ? names.join(", ")
    : `${names.slice(0, MAX_NAMES).join(", ")} and ${names.length - MAX_NAMES} more`;

/** @throws BadRequest naming fields of the request that the template does not have */
export function refuseUnknown(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const one = unknown.length === 1;
  const errors: MemberFault[] = unknown.map((name) => ({
    path: pointerTo(name),
    message: "The template has no such field",
  }));
  throw new BadRequest(
    `The template does not have the field${one ? "" : "s"} ${listNames(unknown)}; GET /template/metadata lists its fields`,
    { errors },
  );
}

/** @throws BadRequest naming fields of the template that the request leaves out */
export function refuseMissing(missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw new BadRequest(`The request leaves out the field${missing.length === 1 ? "" : "s"} ${listNames(missing)}`, {
    errors: missing.map((name) => ({ path: pointerTo(name), message: "No value is given" })),
  });
}

/** The text of a scalar value; null empties the field. @throws BadRequest for lists and objects */
export function textValue(name: string, value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw badValue(
    name,
    `The field ${name} takes a text, a number or a boolean, not ${Array.isArray(value) ? "a list" : "an object"}`,
  );
}

/** Characters that no text field holds: control characters besides line breaks and tabs. */
const CONTROLS = /(?![\n\t\u0085])\p{Cc}/gu;
/** Marks of direction and joining, and variation selectors, that no font shows. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f]/gu;

/** Text as a field holds it: well-formed, with `\n` between lines, without control characters. */
export const plainText = (text: string): string =>
  text.toWellFormed().replaceAll(/\r\n?/gu, "\n").replaceAll(CONTROLS, "");

/** Text as fonts have it: composed, with `\n` between lines, without tabs and invisible characters. */
export const printable = (text: string): string =>
  plainText(text)
    .normalize("NFC")
    .replaceAll(/[\u0085\u2028\u2029]/gu, "\n")
    .replaceAll("\t", " ")
    .replaceAll(INVISIBLE, "");
