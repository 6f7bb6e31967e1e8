/** Lays out the stories of a Word document: its body, headers and footers, notes (ECMA-376 part 1, chapter 17). */
import type { LogicalPages } from "../../../layout/logical/logical-pages.ts";
import type { Run } from "../../../layout/logical/logical-rows.ts";
import { readChart, readDiagram } from "../diagrams.ts";
import type { PictureReference } from "../drawings.ts";
import type { OfficePackage } from "../office-package.ts";
import { type Relationships, readRelationships } from "../relationships.ts";
import { chosenBranch, elementsOf, readXml, type XmlBudget, type XmlElement } from "../xml-parts.ts";
import { hasText, type Paragraph, readParagraph, type WordStyles } from "./docx-paragraphs.ts";
import type { Section } from "./docx-sections.ts";
import { readTable } from "./docx-tables.ts";
import { InlineReader } from "./inline-content.ts";
import type { NoteKind, Notes } from "./notes.ts";

/** A picture in the text, and the block that stands for it. */
export interface PlacedPicture {
  reference: PictureReference;
  relationships: Relationships;
  /** 1-based logical page, and the position of its block there, from 0. */
  page: number;
  block: number;
  /** Text of the caption beside it. */
  caption?: string;
}

/** Stand around blocks and are no blocks themselves. */
const AROUND = new Set([
  "document",
  "body",
  "hdr",
  "ftr",
  "sdt",
  "sdtContent",
  "customXml",
  "ins",
  "moveTo",
  "smartTag",
]);

const whole = (name: string): boolean => !AROUND.has(name);

/** What the parts of one document share. */
export interface Word extends WordStyles {
  office: OfficePackage;
  budget: XmlBudget;
  relationships: Relationships;
  notes: Notes;
}

/** Where text goes: the body, a header, a note. */
interface Story {
  relationships: Relationships;
  inlines: InlineReader;
  /** What its paragraphs are, unless they are more than that. */
  kind?: "header" | "footer" | "note";
  /** Stands before its first paragraph. */
  mark?: string;
}

/** Walks through a document and lays it out. */
export class WordWalker {
  readonly pictures: PlacedPicture[] = [];
  readonly #word: Word;
  readonly #pages: LogicalPages;
  readonly #sections: readonly Section[];
  #section = 0;
  /** Text of the paragraph, and of those before it whose mark was deleted. */
  readonly #held: Run[] = [];
  /** Headers and footers that were read, and their texts: sections differ little. */
  readonly #edgeText = new Set<string>();
  #lastCaption: string | undefined;
  /** Pictures that a caption may still follow. */
  #uncaptioned: PlacedPicture[] = [];

  constructor(word: Word, pages: LogicalPages, sections: readonly Section[]) {
    this.#word = word;
    this.#pages = pages;
    this.#sections = sections;
  }

  body(part: Uint8Array): void {
    const story = this.#story(this.#word.relationships);
    this.#edges("header");
    const take = (element: XmlElement): void => {
      this.#block(element, story);
      if (element.name === "sectPr") this.#endSection();
    };
    readXml(part, { whole, take }, this.#word.budget);
    // The paragraph that the last ones were joined to is not there.
    if (hasText(this.#held)) this.#pages.block(this.#held.splice(0));
    this.#notes("footnote");
    this.#notes("endnote");
    // Properties of the last section that could not be looked ahead to.
    if (this.#section < this.#sections.length) this.#edges("footer");
  }

  #story(relationships: Relationships, more: Pick<Story, "kind" | "mark"> = {}): Story {
    const { styles, notes } = this.#word;
    return { relationships, inlines: new InlineReader(styles, relationships, notes), ...more };
  }

  #block(element: XmlElement, story: Story): void {
    if (element.name === "p") this.#paragraph(readParagraph(element, this.#word, story.inlines), story);
    else if (element.name === "tbl") this.#table(element, story);
    else if (element.name === "AlternateContent") this.#blocks(chosenBranch(element), story);
    else if (AROUND.has(element.name)) this.#blocks(element, story);
  }

  #blocks(element: XmlElement | undefined, story: Story): void {
    if (element !== undefined) for (const child of elementsOf(element)) this.#block(child, story);
  }

  #paragraph(paragraph: Paragraph, story: Story): void {
    for (const run of paragraph.runs) this.#held.push(run);
    if (!paragraph.joinsNext) this.#lay(this.#held.splice(0), paragraph, story);
    this.#hang(paragraph, story);
    if (paragraph.endsSection && story.kind === undefined) this.#endSection();
  }

  #lay(runs: Run[], { looks, breaksBefore }: Paragraph, story: Story): void {
    const pages = this.#pages;
    const own = story.kind !== undefined;
    if (!own && (breaksBefore || runs.some((run) => run.text.includes("\f")))) this.#notes("footnote");
    if (!own && breaksBefore && !pages.atTop) pages.breakPage();
    if (!hasText(runs)) {
      if (!own && runs.some((run) => run.text.includes("\f")) && !pages.atTop) pages.breakPage();
      return;
    }
    const text = own ? runs.map((run) => ({ ...run, text: run.text.replaceAll("\f", " ") })) : runs;
    const marked = story.mark ? [{ text: `${story.mark} ` }, ...text] : text;
    delete story.mark;
    const kind = story.kind ?? looks.kind;
    pages.block(marked, own ? { kind, ...(looks.marker === undefined ? {} : { marker: looks.marker }) } : looks);
    this.#caption(
      kind === "caption"
        ? runs
            .map((run) => run.text)
            .join("")
            .trim()
        : undefined,
    );
  }

  /** A caption belongs to the pictures before it, else to those that follow. */
  #caption(caption: string | undefined): void {
    if (caption !== undefined && this.#uncaptioned.length > 0) {
      for (const picture of this.#uncaptioned) picture.caption = caption;
      this.#lastCaption = undefined;
    } else this.#lastCaption = caption;
    this.#uncaptioned = [];
  }

  /** What hangs on a paragraph: text boxes, diagrams, pictures. */
  #hang(paragraph: Paragraph, story: Story): void {
    const { textBoxes, pictures } = paragraph;
    for (const box of textBoxes) this.#blocks(box, story);
    for (const text of this.#drawnTexts(paragraph, story)) {
      this.#pages.block([{ text }], { kind: story.kind ?? "paragraph" });
    }
    for (const reference of pictures) this.#figure(reference, story);
  }

  /** What diagrams and charts say. */
  #drawnTexts({ diagrams, charts }: Paragraph, { relationships }: Story): string[] {
    const { office, budget } = this.#word;
    const read = (id: string, reader: typeof readDiagram): string[] => {
      const target = relationships.get(id);
      const part = target === undefined || target.external ? undefined : office.read(target.target);
      return part === undefined ? [] : reader(part, budget);
    };
    return [...diagrams.flatMap((id) => read(id, readDiagram)), ...charts.flatMap((id) => read(id, readChart))];
  }

  #figure(reference: PictureReference, { relationships }: Story): void {
    const { width, height, altText } = reference;
    this.#pages.figure({ width, height }, [{ text: altText.replaceAll("\f", " ") }]);
    const { page, blocks } = this.#pages.place;
    const picture: PlacedPicture = { reference, relationships, page, block: blocks - 1 };
    if (this.#lastCaption !== undefined) picture.caption = this.#lastCaption;
    else this.#uncaptioned.push(picture);
    this.pictures.push(picture);
  }

  #table(element: XmlElement, story: Story): void {
    const pictures: PictureReference[] = [];
    const table = readTable(element, {
      paragraph: (one) => readParagraph(one, this.#word, story.inlines),
      hanging: (paragraph) => {
        for (const picture of paragraph.pictures) pictures.push(picture);
        const boxes = paragraph.textBoxes.flatMap((box) => this.#linesOf(box, story));
        return [...boxes, ...this.#drawnTexts(paragraph, story).map((text) => [{ text }])];
      },
    });
    const breaks = story.kind === undefined ? { breakBefore: table.breakBefore } : {};
    if (breaks.breakBefore?.size) this.#notes("footnote");
    this.#pages.table(table.rows, { headerRows: table.headerRows, ...breaks });
    for (const reference of pictures) this.#figure(reference, story);
  }

  /** The paragraphs of a text box in a cell. */
  #linesOf(box: XmlElement, story: Story): Run[][] {
    return [...elementsOf(box)]
      .filter((child) => child.name === "p")
      .map((child) => readParagraph(child, this.#word, story.inlines).runs)
      .filter(hasText);
  }

  #notes(kind: NoteKind): void {
    for (const { mark, element, relationships } of this.#word.notes.take(kind)) {
      this.#blocks(element, this.#story(relationships, { kind: "note", mark }));
    }
  }

  #endSection(): void {
    this.#notes("footnote");
    this.#edges("footer");
    this.#section += 1;
    const next = this.#sections[this.#section];
    if (next?.breaksPage && !this.#pages.atTop) this.#pages.breakPage();
    this.#edges("header");
  }

  /** The headers or footers of the current section, each text once. */
  #edges(kind: "header" | "footer"): void {
    for (const edge of this.#sections[this.#section]?.edges ?? []) {
      const target = this.#word.relationships.get(edge.id);
      if (edge.kind === kind && target !== undefined && !target.external) this.#edge(target.target, kind);
    }
  }

  #edge(name: string, kind: "header" | "footer"): void {
    const part = this.#edgeText.has(name) ? undefined : this.#word.office.read(name);
    this.#edgeText.add(name);
    if (part === undefined) return;
    const blocks: XmlElement[] = [];
    readXml(part, { whole, take: (element) => blocks.push(element) }, this.#word.budget);
    const text = blocks.map(allText).join("\n");
    if (this.#edgeText.has(`=${text}`)) return;
    this.#edgeText.add(`=${text}`);
    const story = this.#story(readRelationships(this.#word.office, name, this.#word.budget), { kind });
    for (const block of blocks) this.#block(block, story);
  }
}

/** All text in it: enough to know it again. */
const allText = (element: XmlElement): string =>
  element.children.map((child) => (typeof child === "string" ? child : allText(child))).join("");
