/** The sections of a deck: what a pair of tags repeats or shows. */
import type { UnprocessableEntity } from "../../../ports/errors.ts";
import { tagFault } from "../office/tag-fault.ts";
import type { TagUse } from "../office/tag-fields.ts";
import type { XmlNode } from "../office/xml-tree.ts";
import type { DeckTags, TagSpot, TagStream } from "./deck-tags.ts";

export interface Section {
  path: readonly string[];
  inverted: boolean;
  open: TagSpot;
  /** First and last of the children of `container` that are repeated. Slides have no container. */
  container: XmlNode | undefined;
  from: XmlNode | undefined;
  to: XmlNode | undefined;
  /** Indexes of the first and the last slide, for sections of whole slides. */
  fromSlide: number;
  toSlide: number;
}

/**
 * The narrowest thing that holds both tags: a paragraph, whose runs are repeated; a text, whose paragraphs are; a table,
 * whose rows are; else whole slides.
 */
function makeSection(open: TagSpot & { tag: { path: readonly string[] } }, close: TagSpot): Section {
  const base = {
    path: open.tag.path,
    inverted: open.tag.kind === "inverted",
    open,
    fromSlide: open.slide,
    toSlide: close.slide,
  };
  if (open.paragraph !== undefined && open.paragraph === close.paragraph) {
    return { ...base, container: open.paragraph, from: open.node, to: close.node };
  }
  if (open.body !== undefined && open.body === close.body) {
    return { ...base, container: open.body, from: open.paragraph, to: close.paragraph };
  }
  if (open.table !== undefined && open.table === close.table) {
    return { ...base, container: open.table, from: open.row, to: close.row };
  }
  return { ...base, container: undefined, from: undefined, to: undefined };
}

export interface DeckSections {
  /** By container, those around others first. */
  inside: Map<XmlNode, Section[]>;
  /** Sections of whole slides, those around others first. */
  ofSlides: Section[];
  /** How the deck uses its tags, in order, without those of fallbacks. */
  uses: TagUse[];
  /** The tags in text by their run, and those in alternative texts by their shape. */
  spots: Map<XmlNode, TagSpot>;
}

type SectionSpot = TagSpot & { tag: { kind: "open" | "inverted"; path: readonly string[] } };
const opens = (spot: TagSpot): spot is SectionSpot => spot.tag.kind === "open" || spot.tag.kind === "inverted";

const nameOf = (path: readonly string[]): string => path.join(".");

class SectionReader {
  readonly sections: Section[] = [];
  readonly #faults: UnprocessableEntity[];
  #open: { spot: SectionSpot; uses: TagUse[]; at: number }[] = [];
  uses: TagUse[] = [];

  constructor(faults: UnprocessableEntity[]) {
    this.#faults = faults;
  }

  read({ spots }: TagStream): void {
    for (const spot of spots) {
      if (opens(spot)) this.#openSection(spot);
      else if (spot.tag.kind === "close") this.#close(spot, spot.tag.path);
      else if ("expression" in spot.tag) this.uses.push({ kind: spot.tag.kind, expression: spot.tag.expression });
    }
    for (const { spot } of this.#open) this.#fault(spot, "is never closed");
  }

  #fault({ source, place }: TagSpot, problem: string): void {
    this.#faults.push(tagFault(source, place, problem));
  }

  #openSection(spot: SectionSpot): void {
    this.#open.push({ spot, uses: this.uses, at: this.sections.length });
    this.uses = [];
  }

  #close(spot: TagSpot, path: readonly string[]): void {
    const last = this.#open.at(-1);
    if (last === undefined) {
      this.#fault(spot, "closes nothing that is open");
      return;
    }
    const { path: opened } = last.spot.tag;
    if (path.length > 0 && nameOf(path) !== nameOf(opened)) {
      this.#fault(spot, `closes another section than ${last.spot.source}, which is open`);
      return;
    }
    this.#open.pop();
    const section = makeSection(last.spot, spot);
    // Before the sections inside it.
    this.sections.splice(last.at, 0, section);
    const { inverted } = section;
    // Rows that print something of their own are a list; those that print only the section's value are shown with it.
    const repeats =
      section.container !== undefined &&
      section.container === spot.table &&
      this.uses.some((use) => use.kind !== "value" || nameOf(use.expression.path) !== nameOf(opened));
    last.uses.push({ kind: "section", path: opened, inverted, repeats, uses: this.uses });
    this.uses = last.uses;
  }
}

/** Matches the tags that open and close sections. Faults are added to those of the tags. */
export function matchSections({ streams, faults }: DeckTags): DeckSections {
  const inside = new Map<XmlNode, Section[]>();
  const ofSlides: Section[] = [];
  const spots = new Map<XmlNode, TagSpot>();
  let uses: TagUse[] = [];
  for (const stream of streams) {
    const reader = new SectionReader(faults);
    reader.read(stream);
    if (!stream.isFallback) uses = reader.uses;
    for (const spot of stream.spots) spots.set(spot.node, spot);
    for (const section of reader.sections) {
      if (section.container === undefined) ofSlides.push(section);
      else inside.set(section.container, [...(inside.get(section.container) ?? []), section]);
    }
  }
  return { inside, ofSlides, uses, spots };
}
