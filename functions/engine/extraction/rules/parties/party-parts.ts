/** Parts of a party: its name, address, street, postal code, place and country. */

import type { Field } from "../../../schema/schema-shape.ts";
import { type Segment, tokensBetween } from "../../../structure/view/tokens.ts";
import { hasLegalForm, isCountry, isStreet, placeIn, salutationLength } from "../../../values/party-names.ts";
import { safePattern } from "../../../values/safe-patterns.ts";
import { foldText, splitName } from "../../../values/text-folding.ts";
import { wordsOf } from "../../../values/vocabulary/languages.ts";
import { anyFolded } from "../../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "../document-context.ts";
import type { PartyPart, Role } from "../field-meaning.ts";
import type { Finding } from "../findings.ts";
import { isPerson } from "../front-page.ts";
import type { Party } from "./parties.ts";

const wholeLine = (segment: Segment, confidence: number): Finding => ({
  value: segment.text,
  tokens: segment.tokens,
  confidence,
});

function placePart(line: Segment, part: "postal-code" | "city", confidence: number): Finding | null {
  const place = placeIn(line.text);
  if (place === null) return null;
  const [text, at] = part === "postal-code" ? [place.code, place.codeAt] : [place.city, place.cityAt];
  return text === null ? null : { value: text, tokens: tokensBetween(line, at, at + text.length), confidence };
}

function readPart(party: Party, part: PartyPart): Finding | null {
  const { name, address } = party;
  const confidence = name.confidence * 0.9;
  const placeLine = address.findLast((line) => placeIn(line.text) !== null);
  if (part === "name") return name;
  if (part === "contact") return null;
  if (part === "postal-code" || part === "city")
    return placeLine === undefined ? null : placePart(placeLine, part, confidence);
  if (part === "country") {
    const line = address.find((item) => isCountry(item.text));
    return line === undefined ? null : wholeLine(line, confidence);
  }
  if (part === "street") {
    const line = address.find((item) => isStreet(item.text) && item !== placeLine);
    return line === undefined ? null : wholeLine(line, confidence);
  }
  if (address.length === 0) return null;
  return {
    value: address.map((line) => line.text.replace(/,$/, "")).join(", "),
    tokens: address.flatMap((line) => line.tokens),
    confidence,
  };
}

const COMPANY = new RegExp(
  `(?<!\\p{L})(?:${anyFolded(wordsOf(({ properties }) => properties.companies))})(?!\\p{L})`,
  "u",
);

/** The company of a party whose first line is a person; a bill may be a person's own. */
function companyOf(party: Party, field: Field, context: DocumentContext): Finding | null {
  const asksForCompany = COMPANY.test(foldText(`${splitName(field.name).join(" ")} ${field.description}`));
  if (!asksForCompany || context.isBill() || !isPerson(personIn(String(party.name.value)))) return party.name;
  const line = party.block.find(({ text }) => hasLegalForm(text) && text !== party.name.value);
  return line === undefined ? null : wholeLine(line, party.name.confidence * 0.9);
}

const personIn = (text: string): string => text.slice(salutationLength(text));

/** One part of a party, if the page shows it and it has the schema's length and pattern. */
export function partyPart(field: Field, role: Role, part: PartyPart, context: DocumentContext): Finding | null {
  const party = context.parties()[role];
  const read = (one: Party): Finding | null => (part === "name" ? companyOf(one, field, context) : readPart(one, part));
  const found = party === undefined ? null : read(party);
  if (found === null || typeof found.value !== "string") return null;
  if (found.value.length < field.minLength || found.value.length > field.maxLength) return null;
  const accepts = field.pattern === null ? null : safePattern(field.pattern);
  return accepts === null || accepts(found.value) ? found : null;
}
