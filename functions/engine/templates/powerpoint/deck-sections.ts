/** The sections of a deck: what a pair of tags repeats or shows. */
import type { UnprocessableEntity } from "../../../ports/errors.ts";
import { tagFault } from "../office/tag-fault.ts";
import type { TagUse } from "../office/tag-fields.ts";
import type { XmlNode } from "../office/xml-tree.ts";
import type { DeckTags, TagSpot, TagStream } from "./deck-tags.ts";
import type { SlideChart } from "./slide-charts.ts";

export interface Section {
  path: readonly string[];
  inverted: boolean;
  open: TagSpot;
  close: TagSpot;
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
    close,
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
  /** Charts to fill, by the index of their slide. */
  charts: { slide: number; chart: SlideChart }[];
}

type SectionSpot = TagSpot & { tag: { kind: "open" | "inverted"; path: readonly string[] } };
const opens = (spot: TagSpot): spot is SectionSpot => spot.tag.kind === "open" || spot.tag.kind === "inverted";

const nameOf = (path: readonly string[]): string => path.join(".");

/** Most sections in each other; a template that people read has a few. */
const MAX_SECTION_DEPTH = 50;

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
      else if (spot.tag.kind === "chart") {
        this.uses.push(...spot.tag.chart.fields.map((field): TagUse => ({ kind: "field", field })));
      } else if ("expression" in spot.tag) this.uses.push({ kind: spot.tag.kind, expression: spot.tag.expression });
    }
    for (const { spot } of this.#open) this.#fault(spot, "is never closed");
  }

  #fault({ source, place }: TagSpot, problem: string): void {
    this.#faults.push(tagFault(source, place, problem));
  }

  #openSection(spot: SectionSpot): void {
    if (this.#open.length === MAX_SECTION_DEPTH)
      this.#fault(spot, `is the ${MAX_SECTION_DEPTH + 1}st section in each other`);
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

/**
 * The tags in the order in which values reach them: a section of whole slides holds all tags of its slides, also those
 * before it opens and after it closes.
 */
function inOrderOfSlides({ spots, isFallback }: TagStream, sections: readonly Section[]): TagStream {
  const [opening, closing] = [sections.map(({ open }) => open), sections.map(({ close }) => close)];
  const moved = new Set<TagSpot>([...opening, ...closing]);
  const bySlide = Map.groupBy(
    spots.filter((spot) => !moved.has(spot)),
    ({ slide }) => slide,
  );
  const last = Math.max(...spots.map(({ slide }) => slide));
  const ordered = Array.from({ length: last + 1 }, (_, slide) => [
    ...opening.filter((spot) => spot.slide === slide),
    ...(bySlide.get(slide) ?? []),
    ...closing.filter((spot) => spot.slide === slide).reverse(),
  ]);
  return { spots: ordered.flat(), isFallback };
}

/** Sections of whole slides that share a slide without one being inside the other cannot both be repeated. */
function findOverlaps(sections: readonly Section[], faults: UnprocessableEntity[]): void {
  for (const [index, outer] of sections.entries()) {
    const overlap = sections
      .slice(index + 1)
      .find(({ fromSlide, toSlide }) => fromSlide <= outer.toSlide && toSlide > outer.toSlide);
    if (overlap === undefined) continue;
    const { source, place } = overlap.open;
    faults.push(
      tagFault(source, place, `repeats slides that ${outer.open.source} repeats, and others; close both on one`),
    );
  }
}

function usesOf(stream: TagStream): TagUse[] {
  const reader = new SectionReader([]);
  reader.read(stream);
  return reader.uses;
}

/** Matches the tags that open and close sections. Faults are added to those of the tags. */
export function matchSections({ streams, faults }: DeckTags): DeckSections {
  const inside = new Map<XmlNode, Section[]>();
  const ofSlides: Section[] = [];
  const spots = new Map<XmlNode, TagSpot>();
  const charts: DeckSections["charts"] = [];
  let uses: TagUse[] = [];
  for (const stream of streams) {
    const reader = new SectionReader(faults);
    reader.read(stream);
    const whole = reader.sections.filter(({ container }) => container === undefined);
    findOverlaps(whole, faults);
    if (!stream.isFallback) uses = whole.length === 0 ? reader.uses : usesOf(inOrderOfSlides(stream, whole));
    for (const spot of stream.spots) {
      if (spot.tag.kind === "chart") charts.push({ slide: spot.slide, chart: spot.tag.chart });
      else spots.set(spot.node, spot);
    }
    for (const section of reader.sections) {
      if (section.container === undefined) {
        ofSlides.push(section);
        continue;
      }
      const known = inside.get(section.container) ?? [];
      inside.set(section.container, known);
      known.push(section);
    }
  }
  return { inside, ofSlides, uses, spots, charts };
}
