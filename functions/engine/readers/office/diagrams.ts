/** The texts of diagrams (SmartArt; ECMA-376 part 1, 21.4) and charts (21.2). */
import { elementsOf, findAll, readXml, textOf, type XmlBudget, type XmlElement } from "./xml-parts.ts";

const TEXTS = new Set(["t"]);
const PARAGRAPHS = new Set(["p"]);

/** Points that stand for something, not for the lines between or the way they are drawn. */
const isContent = ({ attributes }: XmlElement): boolean =>
  attributes.type === undefined || attributes.type === "node" || attributes.type === "asst";

/** The paragraphs of a diagram's data part. @throws JobFailure as readXml does */
export function readDiagram(part: Uint8Array, budget: XmlBudget): string[] {
  const texts: string[] = [];
  const take = (element: XmlElement): void => {
    if (element.name !== "pt" || !isContent(element)) return;
    for (const body of elementsOf(element)) {
      if (body.name !== "t") continue;
      for (const paragraph of findAll(body, PARAGRAPHS)) {
        const text = [...findAll(paragraph, TEXTS)].map(textOf).join("").replace(/\s+/g, " ").trim();
        if (text !== "") texts.push(text);
      }
    }
  };
  readXml(part, { whole: (name) => name === "pt", take }, budget);
  return texts;
}

/** Series and categories of a chart that are named. */
const MOST_CHART_TEXTS = 1_000;

/** What a chart names: its titles, series and categories, each once. @throws JobFailure as readXml does */
export function readChart(part: Uint8Array, budget: XmlBudget): string[] {
  const texts = new Set<string>();
  const add = (text: string): void => {
    const plain = text.replace(/\s+/g, " ").trim();
    if (plain !== "" && texts.size < MOST_CHART_TEXTS) texts.add(plain);
  };
  const take = (element: XmlElement): void => {
    if (element.name === "strCache") for (const value of findAll(element, VALUES)) add(textOf(value));
    else for (const paragraph of findAll(element, PARAGRAPHS)) add([...findAll(paragraph, TEXTS)].map(textOf).join(""));
  };
  readXml(part, { whole: (name) => name === "rich" || name === "strCache", take }, budget);
  return [...texts];
}

const VALUES = new Set(["v"]);
