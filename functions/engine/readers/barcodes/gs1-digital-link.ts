/** GS1 Digital Link (GS1 DigitalLink standard: URI syntax 1.4): element strings as web addresses. */

import { readElement } from "./gs1.ts";
import { identifierOf } from "./gs1-identifiers.ts";
import { type FieldValue, type Payload, payloadOf } from "./payload.ts";

/** What a link may be about: goods, cases, places, assets, documents. */
const PRIMARY_KEYS = new Set([
  "00",
  "01",
  "253",
  "255",
  "402",
  "414",
  "417",
  "8003",
  "8004",
  "8006",
  "8010",
  "8013",
  "8017",
]);
const GTIN_DIGITS = 14;
const MOST_CHARACTERS = 2_000;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A link taken apart; undefined when it does not name a primary key as a part of its path with a value of its form. */
export function parseDigitalLink(text: string): Payload | undefined {
  if (text.length > MOST_CHARACTERS || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const parts = url.pathname.split("/").slice(1).map(decode);
  const start = parts.findIndex((part, index) => PRIMARY_KEYS.has(part) && (parts.length - index) % 2 === 0);
  if (start < 0) return undefined;
  const pairs: [string, string][] = [];
  for (let index = start; index < parts.length; index += 2) pairs.push([parts[index] ?? "", parts[index + 1] ?? ""]);
  const [key, value = ""] = pairs[0] ?? [];
  // Shorter goods' numbers are filled up with zeros.
  const primary = key === "01" ? value.padStart(GTIN_DIGITS, "0") : value;
  if (key === undefined || identifierOf(key)?.pattern.test(primary) !== true) return undefined;
  pairs[0] = [key, primary];
  const fields: Record<string, FieldValue | undefined> = { link: text };
  const faults: string[] = [];
  for (const [ai, element] of [...pairs, ...url.searchParams]) {
    const identifier = identifierOf(ai);
    if (identifier !== undefined) fields[identifier.name] = readElement(identifier, element, faults);
  }
  return payloadOf("gs1", fields, faults);
}
