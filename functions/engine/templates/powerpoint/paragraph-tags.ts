/** Gives each tag of a paragraph a run of its own, whatever runs its characters stand in. */
import { type Delimiters, findTags } from "../office/find-tags.ts";
import { childNode, localName, ownText, sameNamespace, type XmlNode } from "../office/xml-tree.ts";

export interface ParagraphTag {
  run: XmlNode;
  source: string;
  inner: string;
}

const textOfRun = (run: XmlNode): string => {
  const text = childNode(run, "t");
  return text === undefined ? "" : ownText(text);
};

/** A run with the properties of another one, which they share. */
export function runWith(run: XmlNode, text: string): XmlNode {
  const properties = childNode(run, "rPr");
  return {
    name: run.name,
    attributes: { ...run.attributes },
    children: [
      ...(properties === undefined ? [] : [properties]),
      { name: sameNamespace(run, "t"), attributes: {}, children: [text] },
    ],
  };
}

interface Found {
  tags: ParagraphTag[];
  unclosed: string | undefined;
}

/** Cuts runs that follow each other at the borders of their tags. A tag takes the look of its first character. */
function cutRuns(runs: readonly XmlNode[], delimiters: Delimiters): Found & { cut: readonly XmlNode[] } {
  const texts = runs.map(textOfRun);
  const found = findTags(texts.join(""), delimiters);
  if (found.tags.length === 0) return { cut: runs, tags: [], unclosed: found.unclosed };
  const cut: XmlNode[] = [];
  const tags: ParagraphTag[] = [];
  let from = 0;
  for (const [index, run] of runs.entries()) {
    const text = texts[index] ?? "";
    let at = from;
    const end = from + text.length;
    for (const { source, inner, start, end: stop } of found.tags) {
      if (stop <= at || start >= end) continue;
      if (start > at) cut.push(runWith(run, text.slice(at - from, start - from)));
      if (start >= at) {
        const own = runWith(run, source);
        cut.push(own);
        tags.push({ run: own, source, inner });
      }
      at = Math.min(stop, end);
    }
    if (at === from) cut.push(run);
    else if (at < end) cut.push(runWith(run, text.slice(at - from)));
    from = end;
  }
  return { cut, tags, unclosed: found.unclosed };
}

/** The text of a paragraph's runs. */
export const paragraphText = (paragraph: XmlNode): string =>
  paragraph.children
    .map((child) => (typeof child !== "string" && localName(child) === "r" ? textOfRun(child) : ""))
    .join("");

/** Cuts the paragraph's runs so that each tag has one. @returns its tags, and the text of one that is never closed */
export function isolateTags(paragraph: XmlNode, delimiters: Delimiters): Found {
  if (!paragraphText(paragraph).includes(delimiters.open)) return { tags: [], unclosed: undefined };
  const children: (XmlNode | string)[] = [];
  const tags: ParagraphTag[] = [];
  let unclosed: string | undefined;
  let runs: XmlNode[] = [];
  const flush = (): void => {
    const found = cutRuns(runs, delimiters);
    // One by one: a call takes a hundred thousand arguments at most.
    for (const run of found.cut) children.push(run);
    for (const tag of found.tags) tags.push(tag);
    unclosed ??= found.unclosed;
    runs = [];
  };
  for (const child of paragraph.children) {
    if (typeof child !== "string" && localName(child) === "r") runs.push(child);
    else {
      // White space between elements is no part of the text.
      if (typeof child === "string") continue;
      flush();
      children.push(child);
    }
  }
  flush();
  paragraph.children = children;
  return { tags, unclosed };
}
