/** Formulas (ECMA-376 part 1, 22.1) as one line of text: `a / b`, `x^2`, `√(y)`. */
import { childOf, elementsOf, textOf, type XmlElement } from "../xml-parts.ts";

const innerText = (element: XmlElement | undefined): string =>
  element === undefined ? "" : [...elementsOf(element)].map(mathText).join("");

const partText = (element: XmlElement, name: string): string => innerText(childOf(element, name)).trim();

/** Adds brackets around more than one sign or number. */
const inBrackets = (text: string): string => (/^(?:[\p{L}\p{N}.,]*|.)$/u.test(text) ? text : `(${text})`);

function delimited(element: XmlElement): string {
  const properties = childOf(element, "dPr");
  const begin = childOf(properties, "begChr")?.attributes.val ?? "(";
  const end = childOf(properties, "endChr")?.attributes.val ?? ")";
  const operands = [...elementsOf(element)].filter((child) => child.name === "e").map(innerText);
  return `${begin}${operands.join(" | ")}${end}`;
}

/** The text of a formula element and its content. */
export function mathText(element: XmlElement): string {
  switch (element.name) {
    case "t":
      return textOf(element);
    case "f":
      return `${inBrackets(partText(element, "num"))} / ${inBrackets(partText(element, "den"))}`;
    case "sSup":
      return `${partText(element, "e")}^${inBrackets(partText(element, "sup"))}`;
    case "sSub":
      return `${partText(element, "e")}_${inBrackets(partText(element, "sub"))}`;
    case "rad":
      return `${partText(element, "deg")}√(${partText(element, "e")})`;
    case "d":
      return delimited(element);
    case "nary":
      return `${childOf(childOf(element, "naryPr"), "chr")?.attributes.val ?? "∫"} ${innerText(element)}`;
    case "del":
    case "moveFrom":
      return "";
    default:
      return innerText(element);
  }
}
