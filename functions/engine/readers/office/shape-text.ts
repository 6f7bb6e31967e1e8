/** Text of shapes (DrawingML, ECMA-376 part 1, 21.1.2), in slides and on sheets. */
import { hasText, type TextRun } from "../../layout/logical/logical-rows.ts";
import { mathText } from "./docx/math.ts";
import { type Relationships, safeLink } from "./relationships.ts";
import { plainSymbols } from "./symbol-fonts.ts";
import {
  childOf,
  chosenBranch,
  elementsOf,
  findAll,
  isOn,
  readXml,
  textOf,
  withoutBreaks,
  type XmlBudget,
  type XmlElement,
} from "./xml-parts.ts";

export interface ShapeRun extends TextRun {
  /** Type size in points, where the run states it. */
  size?: number;
}

/** The stated type size in points. */
export function typeSizeOf(properties: XmlElement | undefined): number | undefined {
  const size = Number(properties?.attributes.sz ?? Number.NaN) / 100;
  return size >= 1 && size <= 4_000 ? size : undefined;
}

function readRun(run: XmlElement, relationships: Relationships): ShapeRun {
  const properties = childOf(run, "rPr");
  const font =
    childOf(properties, "sym")?.attributes.typeface ?? childOf(properties, "latin")?.attributes.typeface ?? "";
  const target = relationships.get(childOf(properties, "hlinkClick")?.attributes["r:id"] ?? "");
  const link = target?.external ? safeLink(target.target) : undefined;
  const size = typeSizeOf(properties);
  return {
    text: plainSymbols(textOf(childOf(run, "t")).replace(/[\n\r\f\v]/g, " "), font),
    ...(isOn(properties?.attributes.b) ? { bold: true } : {}),
    ...(link === undefined ? {} : { link }),
    ...(size === undefined ? {} : { size }),
  };
}

/** The runs of an `a:p`; a line break is a line feed. */
export function readShapeRuns(paragraph: XmlElement, relationships: Relationships): ShapeRun[] {
  const runs: ShapeRun[] = [];
  for (const child of elementsOf(paragraph)) {
    if (child.name === "r" || child.name === "fld") runs.push(readRun(child, relationships));
    else if (child.name === "br") runs.push({ text: "\n" });
    else if (child.name === "tab") runs.push({ text: "\t" });
    else if (child.name === "m") runs.push({ text: withoutBreaks(mathText(child)) });
    else if (child.name === "AlternateContent") {
      const branch = chosenBranch(child);
      if (branch !== undefined) runs.push(...readShapeRuns(branch, relationships));
    }
  }
  return runs.filter((run) => run.text !== "");
}

const BODY_NAMES = new Set(["txBody"]);
const NO_RELATIONSHIPS: Relationships = new Map();

/** The paragraphs of all shapes of a drawing part. @throws JobFailure as readXml does */
export function drawingTexts(part: Uint8Array, budget: XmlBudget): TextRun[][] {
  const texts: TextRun[][] = [];
  const take = (anchor: XmlElement): void => {
    const shown = anchor.name === "AlternateContent" ? chosenBranch(anchor) : anchor;
    for (const body of shown === undefined ? [] : findAll(shown, BODY_NAMES)) {
      for (const paragraph of elementsOf(body)) {
        const runs = paragraph.name === "p" ? readShapeRuns(paragraph, NO_RELATIONSHIPS) : [];
        if (hasText(runs)) texts.push(runs);
      }
    }
  };
  readXml(part, { whole: (name) => /Anchor$|^AlternateContent$/.test(name), take }, budget);
  return texts;
}
