/**
 * The elements that a section repeats. Between two tags of a paragraph it is the content between them; between tags
 * in several cells, the row; between paragraphs, the paragraphs, without those that hold nothing but tags.
 */
import type { UnprocessableEntity } from "../../../ports/errors.ts";
import { tagFault } from "../office/tag-fault.ts";
import { BlockSections } from "./block-sections.ts";
import type { Section } from "./match-sections.ts";
import { type ContentItem, contentItems, tagOf } from "./visible-content.ts";
import type { WordTag } from "./word-tags.ts";
import { elementsIn, type XmlElement } from "./word-xml.ts";

export interface PlacedSection extends Section {
  /** The section opens before this element, and closes after the other one. */
  first: XmlElement;
  last: XmlElement;
  /** True for rows and columns of a table, which mostly are repeated. */
  repeats: boolean;
}

export interface PlacedSections {
  sections: PlacedSection[];
  /** Paragraphs and rows that hold nothing but tags; they are left out. */
  dropped: Set<XmlElement>;
  faults: UnprocessableEntity[];
}

/** The element and its ancestors, the root first. */
function pathTo(element: XmlElement): XmlElement[] {
  const path: XmlElement[] = [];
  for (let at: XmlElement | undefined = element; at !== undefined; at = at.parent) path.push(at);
  return path.reverse();
}

export function closest(element: XmlElement, name: string): XmlElement | undefined {
  for (let at: XmlElement | undefined = element; at !== undefined; at = at.parent) if (at.name === name) return at;
  return undefined;
}

const contains = (outer: XmlElement, inner: XmlElement): boolean => pathTo(inner).includes(outer);

const APART =
  "opens and closes in places that do not belong together; put both tags into one paragraph, into one row of a table, or into paragraphs beside each other";

/** True where the section has the whole content of an element, besides tags of sections around it. */
function covers(items: readonly ContentItem[], { open, close }: Section): boolean {
  const from = items.indexOf(open);
  const to = items.indexOf(close);
  if (from < 0 || to < 0) return false;
  const kindOf = (item: ContentItem): string | undefined => tagOf(item)?.tag.kind;
  const opens = (item: ContentItem): boolean => kindOf(item) === "open" || kindOf(item) === "inverted";
  const closes = (item: ContentItem): boolean => kindOf(item) === "close";
  return items.slice(0, from).every(opens) && items.slice(to + 1).every(closes);
}

export class SectionPlacer {
  private readonly tags: ReadonlyMap<XmlElement, WordTag>;
  private readonly isListItem: (paragraph: XmlElement) => boolean;
  private readonly placed: PlacedSections = { sections: [], dropped: new Set(), faults: [] };
  private readonly blocks: Section[] = [];
  private readonly rows: PlacedSection[] = [];
  private readonly items = new Map<XmlElement, ContentItem[]>();

  /** @param tags by the elements that stand for them */
  constructor(tags: ReadonlyMap<XmlElement, WordTag>, isListItem: (paragraph: XmlElement) => boolean) {
    this.tags = tags;
    this.isListItem = isListItem;
  }

  place(sections: readonly Section[]): PlacedSections {
    for (const section of sections) {
      if (section.open.repeats !== undefined) this.placeAround(section, section.open.repeats);
      else if (section.open.paragraph === section.close.paragraph) this.placeInParagraph(section);
      else this.placeApart(section);
    }
    this.placeBlocks();
    this.dropRows();
    return this.placed;
  }

  private itemsOf(element: XmlElement): ContentItem[] {
    const items = this.items.get(element) ?? contentItems(element, this.tags);
    this.items.set(element, items);
    return items;
  }

  private put(section: Section, first: XmlElement, last: XmlElement, repeats: boolean): PlacedSection {
    const placed = { ...section, first, last, repeats };
    this.placed.sections.push(placed);
    return placed;
  }

  private fault({ open }: Section, problem: string): void {
    this.placed.faults.push(tagFault(open.source, open.place, problem));
  }

  private placeAround(section: Section, name: string): void {
    const element = closest(section.open.mark, name);
    if (element === undefined || !contains(element, section.close.mark)) {
      this.fault(section, `repeats ${name}, and is not closed in the same one`);
    } else this.put(section, element, element, true);
  }

  private placeInParagraph(section: Section): void {
    const { paragraph } = section.open;
    const row = this.onlyCellRow(paragraph);
    if (row !== undefined && covers(this.itemsOf(row), section)) {
      this.put(section, row, row, false);
    } else if (this.isListItem(paragraph) && covers(this.itemsOf(paragraph), section)) {
      this.put(section, paragraph, paragraph, false);
    } else {
      const [first, last] = this.apart(section);
      this.put(section, first, last, false);
    }
  }

  /** The row of a paragraph, where it has no second cell that could hold the other tag. */
  private onlyCellRow(paragraph: XmlElement): XmlElement | undefined {
    const cell = closest(paragraph, "w:tc");
    const row = cell?.parent;
    if (row?.name !== "w:tr") return undefined;
    return [...elementsIn(row)].filter(({ name }) => name === "w:tc" || name === "w:sdt").length === 1
      ? row
      : undefined;
  }

  /** The children of the tags' common ancestor that hold them. */
  private apart({ open, close }: Section): [XmlElement, XmlElement] {
    const [from, to] = [pathTo(open.mark), pathTo(close.mark)];
    let depth = 0;
    while (from[depth] !== undefined && from[depth] === to[depth]) depth += 1;
    return [from[depth] ?? open.mark, to[depth] ?? close.mark];
  }

  private placeApart(section: Section): void {
    const [first, last] = this.apart(section);
    const holder = first.parent;
    const row = holder === undefined ? undefined : closest(holder, "w:tr");
    if (first.name === "w:tc" || last.name === "w:tc") {
      if (row === undefined) this.fault(section, APART);
      else this.put(section, row, row, true);
    } else if (first.name === "w:p" && last.name === "w:p") this.blocks.push(section);
    else if (
      closest(section.open.mark, "w:tr")?.parent === holder &&
      closest(section.close.mark, "w:tr")?.parent === holder
    ) {
      this.rows.push(this.put(section, first, last, true));
    } else this.fault(section, APART);
  }

  private placeBlocks(): void {
    const blocks = new BlockSections(this.blocks, this.tags);
    for (const paragraph of blocks.dropped) this.placed.dropped.add(paragraph);
    for (const section of this.blocks) {
      const { open, close } = section;
      if (blocks.isWhole(section)) {
        const first = blocks.dropped.has(open.paragraph) ? open.mark : open.paragraph;
        const last = blocks.dropped.has(close.paragraph) ? close.mark : close.paragraph;
        this.put(section, first, last, false);
      } else if (open.mark.parent === open.paragraph && close.mark.parent === close.paragraph) {
        this.put(section, open.mark, close.mark, false);
      } else this.fault(section, APART);
    }
  }

  /** Leaves out rows that hold tags of sections over several rows, and nothing else. */
  private dropRows(): void {
    const byTag = new Map<WordTag, PlacedSection>();
    for (const section of this.rows) byTag.set(section.open, section).set(section.close, section);
    const rows = new Set(this.rows.flatMap(({ first, last }) => [first, last]));
    for (const row of rows) {
      const items = contentItems(row, this.tags);
      const own = items.map((item) => (typeof item === "string" ? undefined : byTag.get(item)));
      const isOther = (section: PlacedSection | undefined): boolean =>
        section === undefined || section.first === section.last;
      if (row.name !== "w:tr" || own.some(isOther)) continue;
      this.placed.dropped.add(row);
      for (const section of own) {
        if (section?.first === row) section.first = section.open.mark;
        if (section?.last === row) section.last = section.close.mark;
      }
    }
  }
}
