/** What a reader of a paragraph or a row sees: its tags, and other content between them. */
import { MARK, type WordTag } from "./word-tags.ts";
import { childOf, type XmlElement } from "./word-xml.ts";

/** A tag, anything else that is seen, or the end of a section of the document, which a paragraph's properties hold. */
export type ContentItem = WordTag | "content" | "end";

/** Elements that show nothing. */
const UNSEEN: ReadonlySet<string> = new Set([
  "w:pPr",
  "w:rPr",
  "w:tcPr",
  "w:trPr",
  "w:tblPrEx",
  "w:sdtPr",
  "w:sdtEndPr",
  "w:proofErr",
  "w:bookmarkStart",
  "w:bookmarkEnd",
  "w:commentRangeStart",
  "w:commentRangeEnd",
  "w:permStart",
  "w:permEnd",
  "w:lastRenderedPageBreak",
  "w:del",
]);
/** Elements that show what is in them, and nothing else. */
const FRAMES: ReadonlySet<string> = new Set([
  "w:p",
  "w:r",
  "w:tc",
  "w:hyperlink",
  "w:ins",
  "w:moveTo",
  "w:smartTag",
  "w:customXml",
  "w:sdt",
  "w:sdtContent",
  "w:t",
]);

export const tagOf = (item: ContentItem | undefined): WordTag | undefined =>
  typeof item === "string" ? undefined : item;

/** True for a paragraph that ends a section of the document. */
export const endsSection = (paragraph: XmlElement): boolean => childOf(paragraph, "w:pPr", "w:sectPr") !== undefined;

/** The content of an element in order, the end of a section last; white space is none. */
export function contentItems(element: XmlElement, tags: ReadonlyMap<XmlElement, WordTag>): ContentItem[] {
  const items: ContentItem[] = [];
  const visit = (at: XmlElement): void => {
    for (const child of at.children) {
      if (typeof child === "string") {
        // Text that was split around tags is written with its element.
        if (child.replaceAll(/<[^>]*>/gu, "").trim() !== "") items.push("content");
      } else if (child.name === MARK) {
        const tag = tags.get(child);
        if (tag !== undefined) items.push(tag);
      } else if (FRAMES.has(child.name)) visit(child);
      else if (!UNSEEN.has(child.name)) items.push("content");
    }
  };
  visit(element);
  if (endsSection(element)) items.push("end");
  return items;
}
