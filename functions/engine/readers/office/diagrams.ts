/** Texts of diagrams (SmartArt; ECMA-376 part 1, 21.4) and charts (21.2). */
import { elementsOf, findAll, readXml, textOf, type XmlBudget, type XmlElement } from "./xml-parts.ts";

const TEXT_NAMES = new Set(["t"]);
const PARAGRAPH_NAMES = new Set(["p"]);

/** Tells whether a point holds content, rather than a line between points or its presentation. */
const isContent = ({ attributes }: XmlElement): boolean =>
  attributes.type === undefined || attributes.type === "node" || attributes.type === "asst";

/** The paragraphs of a diagram's data part. @throws JobFailure as readXml does */
export function readDiagram(part: Uint8Array, budget: XmlBudget): string[] {
  const texts: string[] = [];
  const take = (element: XmlElement): void => {
    if (element.name !== "pt" || !isContent(element)) return;
    for (const body of elementsOf(element)) {
      if (body.name !== "t") continue;
      for (const paragraph of findAll(body, PARAGRAPH_NAMES)) {
        const text = [...findAll(paragraph, TEXT_NAMES)].map(textOf).join("").replace(/\s+/g, " ").trim();
        if (text !== "") texts.push(text);
      }
    }
  };
  readXml(part, { whole: (name) => name === "pt", take }, budget);
  return texts;
}

/** Limit for the named series and categories of a chart. */
const MAX_CHART_TEXTS = 1_000;

/** The titles, series and categories of a chart, each once. @throws JobFailure as readXml does */
export function readChart(part: Uint8Array, budget: XmlBudget): string[] {
  const texts = new Set<string>();
  const add = (text: string): void => {
    const plain = text.replace(/\s+/g, " ").trim();
    if (plain !== "" && texts.size < MAX_CHART_TEXTS) texts.add(plain);
  };
  const take = (element: XmlElement): void => {
    if (element.name === "strCache") for (const value of findAll(element, VALUE_NAMES)) add(textOf(value));
    else
      for (const paragraph of findAll(element, PARAGRAPH_NAMES))
        add([...findAll(paragraph, TEXT_NAMES)].map(textOf).join(""));
  };
  readXml(part, { whole: (name) => name === "rich" || name === "strCache", take }, budget);
  return [...texts];
}

const VALUE_NAMES = new Set(["v"]);
