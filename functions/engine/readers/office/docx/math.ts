/** Formulas (ECMA-376 part 1, 22.1) as one line of text: `a / b`, `x^2`, `√(y)`. */
import { childOf, elementsOf, textOf, type XmlElement } from "../xml-parts.ts";

const inside = (element: XmlElement | undefined): string =>
  element === undefined ? "" : [...elementsOf(element)].map(mathText).join("");

const part = (element: XmlElement, name: string): string => inside(childOf(element, name)).trim();

/** In brackets where it is more than one sign or number. */
const group = (text: string): string => (/^(?:[\p{L}\p{N}.,]*|.)$/u.test(text) ? text : `(${text})`);

function delimited(element: XmlElement): string {
  const properties = childOf(element, "dPr");
  const begin = childOf(properties, "begChr")?.attributes.val ?? "(";
  const end = childOf(properties, "endChr")?.attributes.val ?? ")";
  const operands = [...elementsOf(element)].filter((child) => child.name === "e").map(inside);
  return `${begin}${operands.join(" | ")}${end}`;
}

/** The text of an element of a formula and of all in it. */
export function mathText(element: XmlElement): string {
  switch (element.name) {
    case "t":
      return textOf(element);
    case "f":
      return `${group(part(element, "num"))} / ${group(part(element, "den"))}`;
    case "sSup":
      return `${part(element, "e")}^${group(part(element, "sup"))}`;
    case "sSub":
      return `${part(element, "e")}_${group(part(element, "sub"))}`;
    case "rad":
      return `${part(element, "deg")}√(${part(element, "e")})`;
    case "d":
      return delimited(element);
    case "nary":
      return `${childOf(childOf(element, "naryPr"), "chr")?.attributes.val ?? "∫"} ${inside(element)}`;
    case "del":
    case "moveFrom":
      return "";
    default:
      return inside(element);
  }
}
