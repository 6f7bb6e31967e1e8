/** The order that the schema of Word asks for in properties (ECMA-376 part 1, annex A), as far as fills write them. */
import { childOf, descendants, parseXmlPart } from "../../functions/engine/templates/word/word-xml.ts";

const ORDERS: Readonly<Record<string, readonly string[]>> = {
  "w:rPr":
    "rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath".split(
      " ",
    ),
  "w:pPr":
    "pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange".split(
      " ",
    ),
  "w:tcPr":
    "cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark".split(" "),
};

/** Elements that begin with their properties. */
const FIRST: Readonly<Record<string, string>> = {
  "w:r": "w:rPr",
  "w:p": "w:pPr",
  "w:tc": "w:tcPr",
  "w:tr": "w:trPr",
  "w:tbl": "w:tblPr",
};

/** Places of a part where the order is another one; empty for a sound part. */
export function elementOrderFaults(xml: string): string[] {
  const faults: string[] = [];
  for (const element of descendants(parseXmlPart(xml).root)) {
    const names = element.children.flatMap((child) => (typeof child === "string" ? [] : [child.name]));
    const order = ORDERS[element.name]?.map((name) => `w:${name}`);
    const ranks = order === undefined ? [] : names.map((name) => order.indexOf(name)).filter((rank) => rank >= 0);
    if (ranks.some((rank, index) => rank <= (ranks[index - 1] ?? -1)))
      faults.push(`${element.name}: ${names.join(" ")}`);
    const properties = FIRST[element.name];
    if (properties !== undefined && names.lastIndexOf(properties) > 0)
      faults.push(`${element.name}: ${names.join(" ")}`);
    if (element.name === "w:tc" && !/^w:(?:p|sdt)$/u.test(names.at(-1) ?? ""))
      faults.push("w:tc does not end with a paragraph");
    if (element.name === "w:tbl" && childOf(element, "w:tr") === undefined && !names.includes("w:sdt"))
      faults.push("w:tbl has no row");
  }
  return faults;
}
