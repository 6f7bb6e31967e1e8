/** The text of Word's paragraphs (ECMA-376 part 1, 17.3.3): runs, and what stands among them. */
import type { Run } from "../../../layout/logical/logical-rows.ts";
import { type DrawingContent, noContent, readDrawing } from "../drawings.ts";
import { linkOf, type Relationships } from "../relationships.ts";
import { plainSymbols, symbolOf } from "../symbol-fonts.ts";
import { childOf, chosenBranch, elementsOf, isOn, textOf, type XmlElement } from "../xml-parts.ts";
import { type RunLooks, readRunLooks, type Styles } from "./docx-styles.ts";
import { Fields } from "./field-instructions.ts";
import { mathText } from "./math.ts";
import type { NoteKind, Notes } from "./notes.ts";

/** What a paragraph holds: its text, in which `\n` is a typed break and `\f` a page's, and what hangs on it. */
export interface Inline extends DrawingContent {
  runs: Run[];
}

/** What a run shows for elements that stand for one thing. */
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: "\t",
  ptab: "\t",
  cr: "\n",
  noBreakHyphen: "-",
  lastRenderedPageBreak: "\f",
};

/** Kept out: what was deleted or moved away under review, comments, and the pronunciation above a word. */
const LEFT_OUT = new Set([
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

const NOTE_REFERENCES: Readonly<Record<string, NoteKind>> = {
  footnoteReference: "footnote",
  endnoteReference: "endnote",
};

/** Breaks mean themselves as elements only; in text they are spaces. */
const flat = (text: string): string => text.replace(/[\t\n\r\f\v]/g, " ");

/** Without `xml:space` the spaces around a text do not count (2.10 of XML, and as Word does). */
function runText(element: XmlElement, font: string): string {
  const text = flat(textOf(element));
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

/** What a text looks like, and where it leads. */
interface About {
  looks: RunLooks;
  link: string | undefined;
}

/** Reads the paragraphs of one story: the body, a header, a note. */
export class InlineReader {
  readonly #styles: Styles;
  readonly #relationships: Relationships;
  readonly #notes: Notes;
  readonly #fields = new Fields();

  constructor(styles: Styles, relationships: Relationships, notes: Notes) {
    this.#styles = styles;
    this.#relationships = relationships;
    this.#notes = notes;
  }

  /** @param styleId of the paragraph */
  read(paragraph: XmlElement, styleId: string | undefined): Inline {
    const inline: Inline = { runs: [], ...noContent() };
    this.#readContent(paragraph, this.#styles.looks(styleId), undefined, inline);
    return inline;
  }

  /** Runs and what may be around them: links, insertions, content controls, fields. */
  #readContent(element: XmlElement, looks: RunLooks, link: string | undefined, inline: Inline): void {
    for (const child of elementsOf(element)) {
      if (LEFT_OUT.has(child.name)) continue;
      if (child.name === "AlternateContent") {
        const branch = chosenBranch(child);
        if (branch !== undefined) this.#readContent(branch, looks, link, inline);
      } else if (child.name === "oMath") this.#add(inline, flat(mathText(child)), { looks, link });
      else if (child.name === "oMathPara") {
        // It stands on a row of its own.
        this.#add(inline, `\n${flat(mathText(child))}\n`, { looks, link });
      } else if (child.name === "r") this.#readRun(child, looks, link, inline);
      else if (child.name === "hyperlink") this.#readContent(child, looks, this.#linkOf(child) ?? link, inline);
      else this.#readContent(child, looks, link, inline);
    }
  }

  #linkOf({ attributes }: XmlElement): string | undefined {
    const relationship = this.#relationships.get(attributes["r:id"] ?? "");
    return relationship?.external ? linkOf(relationship.target) : undefined;
  }

  #readRun(run: XmlElement, around: RunLooks, link: string | undefined, inline: Inline): void {
    const properties = childOf(run, "rPr");
    const styleId = childOf(properties, "rStyle")?.attributes.val;
    const styled = styleId === undefined ? around : { ...around, ...this.#styles.characterLooks(styleId) };
    const looks = properties === undefined ? styled : { ...styled, ...readRunLooks(properties) };
    const font = childOf(properties, "rFonts")?.attributes.ascii ?? "";
    this.#readParts(run, { looks, font, link }, inline);
  }

  #readParts(run: XmlElement, about: About & { font: string }, inline: Inline): void {
    for (const child of elementsOf(run)) {
      const { name, attributes } = child;
      const character = CHARACTERS[name];
      const noteKind = NOTE_REFERENCES[name];
      if (name === "fldChar") this.#add(inline, this.#fields.mark(child), about);
      else if (name === "instrText") this.#fields.addInstruction(textOf(child));
      else if (!this.#fields.shows || LEFT_OUT.has(name)) continue;
      else if (name === "t") this.#add(inline, runText(child, about.font), about);
      else if (name === "br") this.#add(inline, attributes.type === "page" ? "\f" : "\n", about);
      else if (character !== undefined) this.#add(inline, character, about);
      else if (name === "sym") this.#add(inline, symbolText(child), about);
      else if (noteKind !== undefined && !isOn(attributes.customMarkFollows)) {
        this.#add(inline, ` ${this.#notes.refer(noteKind, attributes.id ?? "")}`, about);
      } else if (noteKind !== undefined) this.#notes.refer(noteKind, attributes.id ?? "", "");
      else if (name === "drawing" || name === "pict" || name === "object")
        this.#readDrawing(child, about.looks, inline);
      else if (name === "AlternateContent") {
        const branch = chosenBranch(child);
        if (branch !== undefined) this.#readParts(branch, about, inline);
      } else if (name === "ruby") this.#readContent(child, about.looks, about.link, inline);
    }
  }

  #readDrawing(element: XmlElement, looks: RunLooks, inline: Inline): void {
    const frames = [...elementsOf(element)];
    if (looks.hidden || frames.some((frame) => isOn(childOf(frame, "docPr")?.attributes.hidden))) return;
    readDrawing(element, inline);
  }

  #add(inline: Inline, text: string, { looks, link: around }: About): void {
    if (text === "" || looks.hidden) return;
    const link = around ?? this.#fields.link;
    const last = inline.runs.at(-1);
    // Word parts a word into runs for reasons of its own.
    if (last !== undefined && (last.bold ?? false) === (looks.bold ?? false) && last.link === link) last.text += text;
    else inline.runs.push({ text, ...(looks.bold ? { bold: true } : {}), ...(link === undefined ? {} : { link }) });
  }
}
