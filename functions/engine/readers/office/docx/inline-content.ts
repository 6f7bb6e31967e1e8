/** The text of Word's paragraphs (ECMA-376 part 1, 17.3.3): runs and the elements among them. */
import type { TextRun } from "../../../layout/logical/logical-rows.ts";
import { type DrawingContent, emptyContent, readDrawing } from "../drawings.ts";
import { type Relationships, safeLink } from "../relationships.ts";
import { plainSymbols, symbolOf } from "../symbol-fonts.ts";
import { childOf, chosenBranch, elementsOf, isOn, textOf, withoutBreaks, type XmlElement } from "../xml-parts.ts";
import { type RunStyle, readRunStyle, type WordStyles } from "./docx-styles.ts";
import { FieldStack } from "./field-instructions.ts";
import { mathText } from "./math.ts";
import type { NoteKind, Notes } from "./notes.ts";

/** Content of a paragraph: its text, in which `\n` is a line break and `\f` a page break, and attached drawings. */
export interface InlineContent extends DrawingContent {
  runs: TextRun[];
}

/** Text of elements that stand for one character. */
const TEXT_BY_ELEMENT: Readonly<Record<string, string>> = {
  tab: "\t",
  ptab: "\t",
  cr: "\n",
  noBreakHyphen: "-",
  lastRenderedPageBreak: "\f",
};

/** Ignored: text deleted or moved away under review, comments, and ruby annotations. */
const IGNORED_ELEMENTS = new Set([
  "del",
  "moveFrom",
  "rPr",
  "pPr",
  "sdtPr",
  "sdtEndPr",
  "customXmlPr",
  "smartTagPr",
  "rt",
  "rubyPr",
]);

const NOTE_KIND_BY_REFERENCE: Readonly<Record<string, NoteKind>> = {
  footnoteReference: "footnote",
  endnoteReference: "endnote",
};

/** Without `xml:space` surrounding spaces do not count (2.10 of XML, and as Word does). */
function runText(element: XmlElement, font: string): string {
  const text = withoutBreaks(textOf(element));
  const spaced = element.attributes.space === "preserve" ? text : text.replace(/^ +| +$/g, "");
  if (/^(?:symbol|wingdings(?: 2)?)$/i.test(font)) {
    return [...spaced].map((character) => symbolOf(character.codePointAt(0) ?? 0, font) ?? character).join("");
  }
  return plainSymbols(spaced, font);
}

function symbolText({ attributes }: XmlElement): string {
  const code = Number.parseInt(attributes.char ?? "", 16);
  if (!Number.isInteger(code) || code <= 0x20 || code > 0xffff || (code >= 0xd800 && code < 0xe000)) return "";
  return symbolOf(code, attributes.font ?? "") ?? String.fromCharCode(code);
}

/** Formatting and link of a text. */
interface TextFormat {
  style: RunStyle;
  link: string | undefined;
}

/** Reads the paragraphs of one story: the body, a header, a footer or a note. */
export class InlineReader {
  readonly #styles: WordStyles;
  readonly #relationships: Relationships;
  readonly #notes: Notes;
  readonly #fields = new FieldStack();

  constructor(styles: WordStyles, relationships: Relationships, notes: Notes) {
    this.#styles = styles;
    this.#relationships = relationships;
    this.#notes = notes;
  }

  /** @param styleId style of the paragraph */
  read(paragraph: XmlElement, styleId: string | undefined): InlineContent {
    const inline: InlineContent = { runs: [], ...emptyContent() };
    this.#readContent(paragraph, this.#styles.runStyle(styleId), undefined, inline);
    return inline;
  }

  /** Reads runs and their wrappers: links, insertions, content controls, fields. */
  #readContent(element: XmlElement, style: RunStyle, link: string | undefined, inline: InlineContent): void {
    for (const child of elementsOf(element)) {
      if (IGNORED_ELEMENTS.has(child.name)) continue;
      if (child.name === "AlternateContent") {
        const branch = chosenBranch(child);
        if (branch !== undefined) this.#readContent(branch, style, link, inline);
      } else if (child.name === "oMath") this.#add(inline, withoutBreaks(mathText(child)), { style, link });
      else if (child.name === "oMathPara") {
        // A display formula stands on a row of its own.
        this.#add(inline, `\n${withoutBreaks(mathText(child))}\n`, { style, link });
      } else if (child.name === "r") this.#readRun(child, style, link, inline);
      else if (child.name === "hyperlink") this.#readContent(child, style, this.#linkOf(child) ?? link, inline);
      else this.#readContent(child, style, link, inline);
    }
  }

  #linkOf({ attributes }: XmlElement): string | undefined {
    const relationship = this.#relationships.get(attributes["r:id"] ?? "");
    return relationship?.external ? safeLink(relationship.target) : undefined;
  }

  #readRun(run: XmlElement, outerStyle: RunStyle, link: string | undefined, inline: InlineContent): void {
    const properties = childOf(run, "rPr");
    const styleId = childOf(properties, "rStyle")?.attributes.val;
    const styled = styleId === undefined ? outerStyle : { ...outerStyle, ...this.#styles.characterStyle(styleId) };
    const style = properties === undefined ? styled : { ...styled, ...readRunStyle(properties) };
    const font = childOf(properties, "rFonts")?.attributes.ascii ?? "";
    this.#readParts(run, { style, font, link }, inline);
  }

  #readParts(run: XmlElement, about: TextFormat & { font: string }, inline: InlineContent): void {
    for (const child of elementsOf(run)) {
      const { name, attributes } = child;
      const character = TEXT_BY_ELEMENT[name];
      const noteKind = NOTE_KIND_BY_REFERENCE[name];
      if (name === "fldChar") this.#add(inline, this.#fields.handleFieldCharacter(child), about);
      else if (name === "instrText") this.#fields.addInstruction(textOf(child));
      else if (!this.#fields.isTextShown || IGNORED_ELEMENTS.has(name)) continue;
      else if (name === "t") this.#add(inline, runText(child, about.font), about);
      else if (name === "br") this.#add(inline, attributes.type === "page" ? "\f" : "\n", about);
      else if (character !== undefined) this.#add(inline, character, about);
      else if (name === "sym") this.#add(inline, symbolText(child), about);
      else if (noteKind !== undefined && !isOn(attributes.customMarkFollows)) {
        this.#add(inline, ` ${this.#notes.refer(noteKind, attributes.id ?? "")}`, about);
      } else if (noteKind !== undefined) this.#notes.refer(noteKind, attributes.id ?? "", "");
      else if (name === "drawing" || name === "pict" || name === "object")
        this.#readDrawing(child, about.style, inline);
      else if (name === "AlternateContent") {
        const branch = chosenBranch(child);
        if (branch !== undefined) this.#readParts(branch, about, inline);
      } else if (name === "ruby") this.#readContent(child, about.style, about.link, inline);
    }
  }

  #readDrawing(element: XmlElement, style: RunStyle, inline: InlineContent): void {
    const frames = [...elementsOf(element)];
    if (style.hidden || frames.some((frame) => isOn(childOf(frame, "docPr")?.attributes.hidden))) return;
    readDrawing(element, inline);
  }

  #add(inline: InlineContent, text: string, { style, link: outerLink }: TextFormat): void {
    if (text === "" || style.hidden) return;
    const link = outerLink ?? this.#fields.link;
    const last = inline.runs.at(-1);
    // Word splits words into runs for reasons of its own.
    if (last !== undefined && (last.bold ?? false) === (style.bold ?? false) && last.link === link) last.text += text;
    else inline.runs.push({ text, ...(style.bold ? { bold: true } : {}), ...(link === undefined ? {} : { link }) });
  }
}
