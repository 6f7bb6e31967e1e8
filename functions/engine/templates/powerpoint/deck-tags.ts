/** The tags of a deck, in reading order, with the elements around each. */
import { UnprocessableEntity } from "../../../ports/errors.ts";
import { type Delimiters, detectDelimiters, parseTag, type Tag } from "../office/find-tags.ts";
import { shownTag, TagProblem, tagFault } from "../office/tag-fault.ts";
import { checkFilters } from "../office/tag-formats.ts";
import { childNode, descendants, localName, type XmlNode } from "../office/xml-tree.ts";
import type { Deck, DeckPart } from "./deck.ts";
import { isolateTags, paragraphText } from "./paragraph-tags.ts";
import type { SlideChart, SlideCharts } from "./slide-charts.ts";

/** The elements around a tag, from the slide inwards. */
export interface Around {
  slide: number;
  part: DeckPart;
  shape: XmlNode | undefined;
  table: XmlNode | undefined;
  row: XmlNode | undefined;
  body: XmlNode | undefined;
  paragraph: XmlNode | undefined;
}

/** A tag, or a chart whose workbook has tags. */
export type DeckTag = Tag | { kind: "chart"; chart: SlideChart };

export interface TagSpot extends Around {
  tag: DeckTag;
  source: string;
  place: string;
  /** The run of a tag in text; the shape of one in an alternative text, and of a chart. */
  node: XmlNode;
}

/** Tags that open and close sections among themselves: those of the deck, and those of each fallback for older programs. */
export interface TagStream {
  spots: TagSpot[];
  /** Fallbacks repeat the tags of what they stand for, so that their fields are not listed. */
  isFallback: boolean;
}

const SHAPES = new Set(["sp", "pic", "graphicFrame", "cxnSp"]);

/** The properties of a shape that name and describe it. */
export function shapeProperties(shape: XmlNode): XmlNode | undefined {
  const own = shape.children.find((child) => typeof child !== "string" && localName(child).startsWith("nv"));
  return typeof own === "string" ? undefined : childNode(own, "cNvPr");
}

/** Shapes that a picture can take the place of. */
const HOLDS_PICTURE = new Set(["sp", "pic"]);

/** Most tags of a presentation: hundreds of slides full of them. */
const MAX_TAGS = 10_000;

class TagWalker {
  readonly streams: TagStream[] = [{ spots: [], isFallback: false }];
  readonly faults: UnprocessableEntity[] = [];
  readonly #delimiters: Delimiters;
  readonly #charts: SlideCharts;
  #tags = 0;

  constructor(delimiters: Delimiters, charts: SlideCharts) {
    this.#delimiters = delimiters;
    this.#charts = charts;
  }

  walk(node: XmlNode, around: Around, stream: TagStream): void {
    const name = localName(node);
    if (name === "Fallback") {
      this.#walkFallback(node, around);
      return;
    }
    const here = this.#enter(name, node, around, stream);
    if (name === "p" && here.body !== undefined) this.#readParagraph(node, here, stream);
    else this.#walkChildren(node, here, stream);
  }

  #walkChildren(node: XmlNode, around: Around, stream: TagStream): void {
    for (const child of node.children) if (typeof child !== "string") this.walk(child, around, stream);
  }

  #walkFallback(node: XmlNode, around: Around): void {
    const stream: TagStream = { spots: [], isFallback: true };
    this.streams.push(stream);
    this.#walkChildren(node, around, stream);
  }

  #enter(name: string, node: XmlNode, around: Around, stream: TagStream): Around {
    if (SHAPES.has(name)) {
      const here = { ...around, shape: node };
      if (HOLDS_PICTURE.has(name)) this.#readDescription(node, here, stream);
      const chart = this.#charts.get(node);
      if (chart !== undefined) {
        stream.spots.push({ ...here, tag: { kind: "chart", chart }, source: "", place: placeOf(here), node });
      }
      return here;
    }
    if (name === "tbl") return { ...around, table: node };
    if (name === "tr") return { ...around, row: node };
    if (name === "txBody") return { ...around, body: node };
    return name === "p" && around.body !== undefined ? { ...around, paragraph: node } : around;
  }

  /** A picture's alternative text that is one tag. */
  #readDescription(shape: XmlNode, around: Around, stream: TagStream): void {
    const { descr = "" } = shapeProperties(shape)?.attributes ?? {};
    const { open, close } = this.#delimiters;
    const text = descr.trim();
    if (!text.startsWith(open) || !text.endsWith(close)) return;
    const inner = text.slice(open.length, -close.length);
    if (inner.includes(open) || inner.includes(close)) return;
    const named = inner.trim().replace(/^%/, "");
    this.#add({ source: text, inner: `%${named}`, node: shape }, { ...around, paragraph: undefined }, stream);
  }

  #readParagraph(paragraph: XmlNode, around: Around, stream: TagStream): void {
    const here = { ...around, paragraph };
    const { tags, unclosed } = isolateTags(paragraph, this.#delimiters);
    for (const { run, source, inner } of tags) this.#add({ source, inner, node: run }, here, stream);
    if (unclosed !== undefined) {
      this.faults.push(tagFault(unclosed, placeOf(here), `is never ended with ${this.#delimiters.close}`));
    }
  }

  #add(found: { source: string; inner: string; node: XmlNode }, around: Around, stream: TagStream): void {
    const place = placeOf(around);
    this.#tags += 1;
    if (this.#tags > MAX_TAGS) {
      throw new UnprocessableEntity(
        `The presentation has more than ${MAX_TAGS.toLocaleString("en-US")} tags; repeat parts with sections instead`,
      );
    }
    try {
      const tag = parseTag(found.inner);
      if ("expression" in tag) checkFilters(tag.expression);
      stream.spots.push({ ...around, tag, source: found.source, place, node: found.node });
    } catch (error) {
      if (!(error instanceof TagProblem)) throw error;
      this.faults.push(tagFault(found.source, place, error.message));
    }
  }
}

function placeOf({ part, shape }: Around): string {
  const name = shape === undefined ? undefined : shapeProperties(shape)?.attributes.name;
  return name === undefined || name === "" ? part.place : `${part.place}, ${JSON.stringify(shownTag(name))}`;
}

function* textsOf({ slides }: Deck): Generator<string> {
  for (const { slide, notes } of slides) {
    for (const part of [slide, notes]) {
      if (part === undefined) continue;
      for (const paragraph of descendants(part.root, "p")) yield paragraphText(paragraph);
      for (const shape of descendants(part.root, "cNvPr")) yield shape.attributes.descr ?? "";
    }
  }
}

export interface DeckTags {
  streams: TagStream[];
  faults: UnprocessableEntity[];
  delimiters: Delimiters;
}

/**
 * Finds the tags of a deck, and gives each in text a run of its own. Faults of tags are collected.
 * @throws UnprocessableEntity for more tags than a deck may have
 */
export function findDeckTags(deck: Deck, charts: SlideCharts): DeckTags {
  const delimiters = detectDelimiters(textsOf(deck));
  const walker = new TagWalker(delimiters, charts);
  const [main] = walker.streams;
  for (const [index, { slide, notes }] of deck.slides.entries()) {
    for (const part of [slide, notes]) {
      if (part === undefined || main === undefined) continue;
      const outside = { shape: undefined, table: undefined, row: undefined, body: undefined, paragraph: undefined };
      walker.walk(part.root, { slide: index, part, ...outside }, main);
    }
  }
  return { streams: walker.streams, faults: walker.faults, delimiters };
}
