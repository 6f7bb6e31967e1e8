/** GS1 Digital Link (GS1 DigitalLink standard: URI syntax 1.4): element strings as web addresses. */

import { readElement } from "./gs1.ts";
import { identifierOf } from "./gs1-identifiers.ts";
import { type Payload, type PayloadValue, payloadOf } from "./payload.ts";

/** Subjects of a link: goods, cases, places, assets, documents. */
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
const MAX_LINK_CHARACTERS = 2_000;

function decodePathPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses a link; undefined when its path names no primary key with a well-formed value. */
export function parseDigitalLink(text: string): Payload | undefined {
  if (text.length > MAX_LINK_CHARACTERS || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const parts = url.pathname.split("/").slice(1).map(decodePathPart);
  const start = parts.findIndex((part, index) => PRIMARY_KEYS.has(part) && (parts.length - index) % 2 === 0);
  if (start < 0) return undefined;
  const pairs: [string, string][] = [];
  for (let index = start; index < parts.length; index += 2) pairs.push([parts[index] ?? "", parts[index + 1] ?? ""]);
  const [key, value = ""] = pairs[0] ?? [];
  // Shorter GTINs are padded with zeros.
  const primary = key === "01" ? value.padStart(GTIN_DIGITS, "0") : value;
  if (key === undefined || identifierOf(key)?.pattern.test(primary) !== true) return undefined;
  pairs[0] = [key, primary];
  const fields: Record<string, PayloadValue | undefined> = { link: text };
  const faults: string[] = [];
  for (const [ai, element] of [...pairs, ...url.searchParams]) {
    const identifier = identifierOf(ai);
    if (identifier !== undefined) fields[identifier.name] = readElement(identifier, element, faults);
  }
  return payloadOf("gs1", fields, faults);
}
