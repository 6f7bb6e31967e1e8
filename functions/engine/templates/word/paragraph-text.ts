/** The text of a paragraph over its runs, and the elements that stand for tags in it. */
import { escapeXml, newElement, unescapeXml, writeXml, type XmlElement, type XmlNode } from "./word-xml.ts";

/** Elements of a paragraph that hold runs in turn. Deleted text is no text. */
const HOLDERS: ReadonlySet<string> = new Set([
  "w:hyperlink",
  "w:ins",
  "w:moveTo",
  "w:smartTag",
  "w:customXml",
  "w:sdt",
  "w:sdtContent",
  "w:fldSimple",
  "w:dir",
  "w:bdo",
]);

/** Elements of a run that are one character. */
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["w:br", "\n"],
  ["w:cr", "\n"],
  ["w:tab", "\t"],
  ["w:noBreakHyphen", "\u2011"],
]);

export interface TextPiece {
  run: XmlElement;
  /** The `w:t`, or an element that is one character. */
  element: XmlElement;
  text: string;
  /** Offset in the paragraph's text. */
  start: number;
}

export interface ParagraphText {
  text: string;
  pieces: TextPiece[];
}

/** The runs of a paragraph in order, without those of paragraphs inside it. */
export function* runsOf(holder: XmlElement): Generator<XmlElement> {
  for (const child of holder.children) {
    if (typeof child === "string") continue;
    if (child.name === "w:r") yield child;
    else if (HOLDERS.has(child.name)) yield* runsOf(child);
  }
}

const contentOf = (element: XmlElement): string =>
  unescapeXml(element.children.filter((child) => typeof child === "string").join(""));

function textOfElement(element: XmlElement): string | undefined {
  if (element.name === "w:t") return contentOf(element);
  // A page break is no character of a line.
  if (element.name === "w:br" && /\sw:type\s*=\s*["'](?:page|column)["']/u.test(element.open)) return undefined;
  return CHARACTERS.get(element.name);
}

export function readParagraph(paragraph: XmlElement): ParagraphText {
  const pieces: TextPiece[] = [];
  let text = "";
  for (const run of runsOf(paragraph)) {
    for (const element of run.children) {
      if (typeof element === "string") continue;
      const own = textOfElement(element);
      if (own === undefined) continue;
      pieces.push({ run, element, text: own, start: text.length });
      text += own;
    }
  }
  return { text, pieces };
}

/** A stretch of a paragraph's text, and the element that takes its place. */
export interface Replacement {
  start: number;
  end: number;
  element: XmlElement;
}

export const textElement = (text: string): string => `<w:t xml:space="preserve">${escapeXml(text)}</w:t>`;

/** The nodes that a piece leaves: its text without the stretches, and the elements of those that begin in it. */
function nodesOf({ element, text, start }: TextPiece, replacements: readonly Replacement[]): XmlNode[] {
  const end = start + text.length;
  const nodes: XmlNode[] = [];
  let at = start;
  const keep = (until: number): void => {
    if (until <= at) return;
    if (element.name === "w:t") nodes.push(newElement("w:t", "", [textElement(text.slice(at - start, until - start))]));
    else nodes.push(element);
  };
  for (const one of replacements) {
    if (one.end <= start || one.start >= end) continue;
    keep(Math.min(one.start, end));
    if (one.start >= start) nodes.push(one.element);
    at = Math.min(one.end, end);
  }
  keep(end);
  return nodes;
}

/** Runs of the same look around each replaced stretch; what holds nothing is left out. */
function splitRun(
  run: XmlElement,
  touched: ReadonlyMap<XmlElement, XmlNode[]>,
  marks: ReadonlySet<XmlNode>,
): XmlNode[] {
  const properties = run.children.filter((child) => typeof child !== "string" && child.name === "w:rPr");
  const look = properties.map((node) => writeXml(node)).join("");
  const split: XmlNode[] = [];
  let rest: XmlNode[] = [];
  const close = (): void => {
    if (rest.length === 0) return;
    const part = newElement("w:r", run.open, [look, ...rest]);
    part.parent = run.parent;
    for (const child of rest) if (typeof child !== "string") child.parent = part;
    split.push(part);
    rest = [];
  };
  for (const child of run.children) {
    if (properties.includes(child as XmlElement)) continue;
    for (const node of (typeof child === "string" ? undefined : touched.get(child)) ?? [child]) {
      if (!marks.has(node)) rest.push(node);
      else {
        close();
        (node as XmlElement).parent = run.parent;
        split.push(node);
      }
    }
  }
  close();
  return split;
}

/** Puts elements in the place of stretches of text; runs are split around them. @param replacements in their order */
export function replaceText({ pieces }: ParagraphText, replacements: readonly Replacement[]): void {
  const marks = new Set<XmlNode>(replacements.map(({ element }) => element));
  const byHolder = new Map<XmlElement, Map<XmlElement, Map<XmlElement, XmlNode[]>>>();
  let first = 0;
  for (const piece of pieces) {
    const end = piece.start + piece.text.length;
    while ((replacements[first]?.end ?? Number.POSITIVE_INFINITY) <= piece.start) first += 1;
    let last = first;
    while ((replacements[last]?.start ?? Number.POSITIVE_INFINITY) < end) last += 1;
    const holder = piece.run.parent;
    if (last === first || holder === undefined) continue;
    const runs = byHolder.get(holder) ?? new Map<XmlElement, Map<XmlElement, XmlNode[]>>();
    const touched = runs.get(piece.run) ?? new Map<XmlElement, XmlNode[]>();
    touched.set(piece.element, nodesOf(piece, replacements.slice(first, last)));
    byHolder.set(holder, runs.set(piece.run, touched));
  }
  for (const [holder, runs] of byHolder) {
    holder.children = holder.children.flatMap((child) => {
      const touched = typeof child === "string" ? undefined : runs.get(child);
      return touched === undefined ? [child] : splitRun(child as XmlElement, touched, marks);
    });
  }
}
