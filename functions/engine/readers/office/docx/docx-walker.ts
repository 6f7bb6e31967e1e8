/** Lays out the stories of a Word document: its body, headers and footers, notes (ECMA-376 part 1, chapter 17). */
import type { LogicalPages } from "../../../layout/logical/logical-pages.ts";
import { hasText, type TextRun, textOfRuns } from "../../../layout/logical/logical-rows.ts";
import { readChart, readDiagram } from "../diagrams.ts";
import type { PictureReference } from "../drawings.ts";
import type { OfficePackage } from "../office-package.ts";
import { type Relationships, readRelationships } from "../relationships.ts";
import { chosenBranch, elementsOf, readXml, type XmlBudget, type XmlElement } from "../xml-parts.ts";
import { type ParagraphDefinitions, readParagraph, type WordParagraph } from "./docx-paragraphs.ts";
import type { WordSection } from "./docx-sections.ts";
import { readTable } from "./docx-tables.ts";
import { InlineReader } from "./inline-content.ts";
import type { NoteKind, Notes } from "./notes.ts";

/** A picture in the text, and its block. */
export interface PlacedPicture {
  reference: PictureReference;
  relationships: Relationships;
  /** Logical page, from 1, and index of its block there, from 0. */
  page: number;
  block: number;
  /** Text of the caption beside it. */
  caption?: string;
}

/** Wrappers of blocks. */
const WRAPPERS = new Set([
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

const isWhole = (name: string): boolean => !WRAPPERS.has(name);

/** State shared by the parts of one document. */
export interface WordDocument extends ParagraphDefinitions {
  office: OfficePackage;
  budget: XmlBudget;
  relationships: Relationships;
  notes: Notes;
}

/** A text flow: the body, a header, a footer or a note. */
interface Story {
  relationships: Relationships;
  inlines: InlineReader;
  /** Kind of its paragraphs; absent for the body. */
  kind?: "header" | "footer" | "note";
  /** Note mark before its first paragraph. */
  mark?: string;
}

/** Walks through a document and lays it out. */
export class WordWalker {
  readonly pictures: PlacedPicture[] = [];
  readonly #word: WordDocument;
  readonly #pages: LogicalPages;
  readonly #sections: readonly WordSection[];
  #section = 0;
  /** Text of the open paragraph, with paragraphs before it whose mark was deleted. */
  readonly #held: TextRun[] = [];
  /** Headers and footers already read, and their texts: sections repeat them. */
  readonly #seenHeaderFooterText = new Set<string>();
  #lastCaption: string | undefined;
  /** Pictures that may still get a following caption. */
  #uncaptioned: PlacedPicture[] = [];

  constructor(word: WordDocument, pages: LogicalPages, sections: readonly WordSection[]) {
    this.#word = word;
    this.#pages = pages;
    this.#sections = sections;
  }

  body(part: Uint8Array): void {
    const story = this.#story(this.#word.relationships);
    this.#headersOrFooters("header");
    const take = (element: XmlElement): void => {
      this.#block(element, story);
      if (element.name === "sectPr") this.#endSection();
    };
    readXml(part, { whole: isWhole, take }, this.#word.budget);
    // The deleted mark of the last paragraph joins it to nothing.
    if (hasText(this.#held)) this.#pages.block(this.#held.splice(0));
    this.#notes("footnote");
    this.#notes("endnote");
    // The last section has no properties that the scan could find.
    if (this.#section < this.#sections.length) this.#headersOrFooters("footer");
  }

  #story(relationships: Relationships, more: Pick<Story, "kind" | "mark"> = {}): Story {
    const { styles, notes } = this.#word;
    return { relationships, inlines: new InlineReader(styles, relationships, notes), ...more };
  }

  #block(element: XmlElement, story: Story): void {
    if (element.name === "p") this.#paragraph(readParagraph(element, this.#word, story.inlines), story);
    else if (element.name === "tbl") this.#table(element, story);
    else if (element.name === "AlternateContent") this.#blocks(chosenBranch(element), story);
    else if (WRAPPERS.has(element.name)) this.#blocks(element, story);
  }

  #blocks(element: XmlElement | undefined, story: Story): void {
    if (element !== undefined) for (const child of elementsOf(element)) this.#block(child, story);
  }

  #paragraph(paragraph: WordParagraph, story: Story): void {
    for (const run of paragraph.runs) this.#held.push(run);
    if (!paragraph.joinsNext) this.#layOut(this.#held.splice(0), paragraph, story);
    this.#addAttached(paragraph, story);
    if (paragraph.endsSection && story.kind === undefined) this.#endSection();
  }

  #layOut(runs: TextRun[], { blockOptions, breaksBefore }: WordParagraph, story: Story): void {
    const pages = this.#pages;
    const isApart = story.kind !== undefined;
    if (!isApart && (breaksBefore || runs.some((run) => run.text.includes("\f")))) this.#notes("footnote");
    if (!isApart && breaksBefore && !pages.atTop) pages.breakPage();
    if (!hasText(runs)) {
      if (!isApart && runs.some((run) => run.text.includes("\f")) && !pages.atTop) pages.breakPage();
      return;
    }
    const text = isApart ? runs.map((run) => ({ ...run, text: run.text.replaceAll("\f", " ") })) : runs;
    const marked = story.mark ? [{ text: `${story.mark} ` }, ...text] : text;
    delete story.mark;
    const kind = story.kind ?? blockOptions.kind;
    pages.block(
      marked,
      isApart ? { kind, ...(blockOptions.marker === undefined ? {} : { marker: blockOptions.marker }) } : blockOptions,
    );
    this.#caption(kind === "caption" ? textOfRuns(runs).trim() : undefined);
  }

  /** A caption belongs to the pictures before it, else to the pictures that follow. */
  #caption(caption: string | undefined): void {
    if (caption !== undefined && this.#uncaptioned.length > 0) {
      for (const picture of this.#uncaptioned) picture.caption = caption;
      this.#lastCaption = undefined;
    } else this.#lastCaption = caption;
    this.#uncaptioned = [];
  }

  /** Adds the content attached to a paragraph: text boxes, diagrams, pictures. */
  #addAttached(paragraph: WordParagraph, story: Story): void {
    const { textBoxes, pictures } = paragraph;
    for (const box of textBoxes) this.#blocks(box, story);
    for (const text of this.#drawnTexts(paragraph, story)) {
      this.#pages.block([{ text }], { kind: story.kind ?? "paragraph" });
    }
    for (const reference of pictures) this.#figure(reference, story);
  }

  /** Texts of diagrams and charts. */
  #drawnTexts({ diagrams, charts }: WordParagraph, { relationships }: Story): string[] {
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
    const { page, blocks } = this.#pages.position;
    const picture: PlacedPicture = { reference, relationships, page, block: blocks - 1 };
    if (this.#lastCaption !== undefined) picture.caption = this.#lastCaption;
    else this.#uncaptioned.push(picture);
    this.pictures.push(picture);
  }

  #table(element: XmlElement, story: Story): void {
    const pictures: PictureReference[] = [];
    const table = readTable(element, {
      paragraph: (one) => readParagraph(one, this.#word, story.inlines),
      attachedTexts: (paragraph) => {
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
  #linesOf(box: XmlElement, story: Story): TextRun[][] {
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
    this.#headersOrFooters("footer");
    this.#section += 1;
    const next = this.#sections[this.#section];
    if (next?.breaksPage && !this.#pages.atTop) this.#pages.breakPage();
    this.#headersOrFooters("header");
  }

  /** Lays out the headers or footers of the current section, each text once. */
  #headersOrFooters(kind: "header" | "footer"): void {
    for (const reference of this.#sections[this.#section]?.headersAndFooters ?? []) {
      const target = this.#word.relationships.get(reference.id);
      if (reference.kind === kind && target !== undefined && !target.external)
        this.#headerOrFooter(target.target, kind);
    }
  }

  #headerOrFooter(name: string, kind: "header" | "footer"): void {
    const part = this.#seenHeaderFooterText.has(name) ? undefined : this.#word.office.read(name);
    this.#seenHeaderFooterText.add(name);
    if (part === undefined) return;
    const blocks: XmlElement[] = [];
    readXml(part, { whole: isWhole, take: (element) => blocks.push(element) }, this.#word.budget);
    const text = blocks.map(allText).join("\n");
    if (this.#seenHeaderFooterText.has(`=${text}`)) return;
    this.#seenHeaderFooterText.add(`=${text}`);
    const story = this.#story(readRelationships(this.#word.office, name, this.#word.budget), { kind });
    for (const block of blocks) this.#block(block, story);
  }
}

/** All text of an element, to recognise a repeated header or footer. */
const allText = (element: XmlElement): string =>
  element.children.map((child) => (typeof child === "string" ? child : allText(child))).join("");
