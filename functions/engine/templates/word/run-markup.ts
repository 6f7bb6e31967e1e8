/** Markup of runs with text. */
import { plainText } from "../field-values.ts";
import { childOf, descendants, escapeXml, writeXml, type XmlElement } from "./word-xml.ts";

/** A text in a run, with elements for its line breaks and tabs. */
function textMarkup(text: string): string {
  const plain = plainText(text);
  const isLine = !/[\n\t\u0085\u2028\u2029]/u.test(plain);
  const pieces = isLine ? [plain] : plain.split(/([\n\t\u0085\u2028\u2029])/u);
  return pieces
    .map((piece) => {
      if (piece === "") return "";
      if (piece === "\t") return "<w:tab/>";
      if (/^[\n\u0085\u2028\u2029]$/u.test(piece)) return "<w:br/>";
      return `<w:t xml:space="preserve">${escapeXml(piece)}</w:t>`;
    })
    .join("");
}

/** A run with a text; nothing for an empty one. @param look the run's properties as XML, empty for none */
export const runMarkup = (text: string, look: string): string =>
  text === "" ? "" : `<w:r>${look}${textMarkup(text)}</w:r>`;

/** Properties of runs in the order that the schema asks for (ECMA-376 part 1, 17.3.2.28), as far as they are set here. */
const ORDER = ["w:rStyle", "w:rFonts", "w:b", "w:bCs", "w:i", "w:iCs"] as const;

const nameOf = (xml: string): string => /^<([^\s/>]+)/u.exec(xml)?.[1] ?? "";

/** Properties of a run with some set: their names and their markup. */
export function withProperties(look: string, set: readonly string[]): string {
  const names = set.map(nameOf);
  const inside = look.replace(/^<w:rPr\s*\/>$|^<w:rPr[^>]*>|<\/w:rPr>$/gu, "");
  const kept = [...inside.matchAll(/<([^\s/>]+)(?:[^>]*\/>|[^>]*>.*?<\/\1>)/gsu)]
    .map(([xml]) => xml)
    .filter((xml) => !names.includes(nameOf(xml)));
  const rank = (xml: string): number => {
    const found = ORDER.indexOf(nameOf(xml) as (typeof ORDER)[number]);
    return found < 0 ? ORDER.length : found;
  };
  const all = [...set, ...kept].toSorted((one, other) => rank(one) - rank(other));
  return all.length === 0 ? "" : `<w:rPr>${all.join("")}</w:rPr>`;
}

/** Properties of a run without those of one name. */
export const withoutProperty = (look: string, name: string): string =>
  look.replace(new RegExp(`<${name}(?:\\s[^>]*)?/>|<${name}(?:\\s[^>]*)?>.*?</${name}>`, "gsu"), "");

/** Properties of the first run in an element. */
export function firstLook(element: XmlElement): string {
  for (const one of descendants(element, ({ name }) => name !== "w:pPr")) {
    if (one.name !== "w:r") continue;
    const properties = childOf(one, "w:rPr");
    return properties === undefined ? "" : writeXml(properties);
  }
  return "";
}
