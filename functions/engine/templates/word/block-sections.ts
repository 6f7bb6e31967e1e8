/** Sections that open in one paragraph and close in a later one beside it. */
import type { Section } from "./match-sections.ts";
import { type ContentItem, contentItems, tagOf } from "./visible-content.ts";
import type { WordTag } from "./word-tags.ts";
import type { XmlElement } from "./word-xml.ts";

/**
 * Finds the sections that have whole paragraphs: their tags are the first and the last of the content, or alone with
 * other such tags. All others begin and end in the middle of a paragraph. One section that is not whole makes those
 * that share a paragraph with it lose their place, so they are looked at until nothing changes.
 */
export class BlockSections {
  /** Paragraphs that hold nothing but tags of whole sections. */
  readonly dropped = new Set<XmlElement>();
  private readonly whole: Set<Section>;
  private readonly items = new Map<XmlElement, ContentItem[]>();
  private readonly byTag = new Map<WordTag, Section>();

  constructor(sections: readonly Section[], tags: ReadonlyMap<XmlElement, WordTag>) {
    this.whole = new Set(sections);
    for (const section of sections) {
      for (const tag of [section.open, section.close]) {
        this.byTag.set(tag, section);
        if (!this.items.has(tag.paragraph)) this.items.set(tag.paragraph, contentItems(tag.paragraph, tags));
      }
    }
    for (let changed = true; changed; ) {
      const lost = [...this.whole].filter((section) => !this.holds(section));
      for (const section of lost) this.whole.delete(section);
      changed = lost.length > 0;
    }
    for (const paragraph of this.items.keys()) if (this.isAlone(paragraph)) this.dropped.add(paragraph);
  }

  isWhole(section: Section): boolean {
    return this.whole.has(section);
  }

  private isWholeTag(item: ContentItem): boolean {
    const tag = tagOf(item);
    const section = tag === undefined ? undefined : this.byTag.get(tag);
    return section !== undefined && this.whole.has(section);
  }

  private isAlone(paragraph: XmlElement): boolean {
    const items = this.items.get(paragraph) ?? [];
    return items.every((item) => item === "end" || this.isWholeTag(item));
  }

  private holds({ open, close }: Section): boolean {
    const before = this.items.get(open.paragraph) ?? [];
    const after = this.items.get(close.paragraph) ?? [];
    const opensFirst = before
      .slice(0, before.indexOf(open))
      .every((item) => this.isWholeTag(item) && tagOf(item)?.tag.kind !== "close");
    const closesLast = after
      .slice(after.indexOf(close) + 1)
      .every((item) => this.isWholeTag(item) && tagOf(item)?.tag.kind === "close");
    return (opensFirst || this.isAlone(open.paragraph)) && (closesLast || this.isAlone(close.paragraph));
  }
}
