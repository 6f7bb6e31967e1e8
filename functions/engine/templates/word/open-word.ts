/** Opens a Word template: its parts with all that values fill, compiled. */
import { UnprocessableEntity } from "../../../ports/errors.ts";
import { type Delimiters, detectDelimiters } from "../office/find-tags.ts";
import { refuseFaults, tagFault } from "../office/tag-fault.ts";
import { openTemplatePackage, type TemplatePackage } from "../office/template-package.ts";
import { placeColumns } from "./column-sections.ts";
import { compilePart } from "./compile-part.ts";
import { type Control, ControlReader } from "./controls.ts";
import { foreignStatement } from "./foreign-statements.ts";
import { matchSections } from "./match-sections.ts";
import { type WordField, type WordFields, wrapFields } from "./merge-fields.ts";
import { type ParagraphText, readParagraph } from "./paragraph-text.ts";
import { closest, SectionPlacer } from "./place-sections.ts";
import {
  documentLanguage,
  isLanguage,
  listItemTest,
  mainWordPart,
  paragraphsIn,
  readText,
  type WordPart,
  wordParts,
} from "./word-parts.ts";
import type { Program } from "./word-program.ts";
import { MARK, markTags, type WordTag } from "./word-tags.ts";
import { descendants, parseXmlPart, withAttribute, type XmlElement, type XmlPart } from "./word-xml.ts";

export interface CompiledPart extends WordPart {
  prolog: string;
  program: Program;
  controls: Control[];
}

export interface OpenWord {
  office: TemplatePackage;
  /** Parts with something to fill; the others are not touched. */
  parts: CompiledPart[];
  hasMergeFields: boolean;
}

/** Most tags of a template; a form of a hundred pages has some thousand. */
const MAX_TAGS = 10_000;

interface Paragraph extends ParagraphText {
  element: XmlElement;
  place: string;
}

interface ReadPart extends WordPart {
  xml: XmlPart;
  paragraphs: Paragraph[];
  fields: Map<XmlElement, WordField>;
  hasControls: boolean;
}

/** Markup is written with the usual prefix, so the part must declare it. */
function declarePrefix(root: XmlElement): void {
  if (/\sxmlns:w\s*=/u.test(root.open)) return;
  const prefix = /^<([^\s:/>]+):/u.exec(root.open)?.[1];
  const own = new RegExp(`\\sxmlns${prefix === undefined ? "" : `:${prefix}`}\\s*=\\s*["']([^"']*)`, "u").exec(
    root.open,
  )?.[1];
  if (own !== undefined && root.name.startsWith("w:")) root.open = withAttribute(root, "xmlns:w", own);
}

const NO_FIELDS: WordFields = { fields: [], faults: [] };

class WordReader {
  readonly faults: UnprocessableEntity[] = [];
  private fieldNumber = 0;
  /** Of texts that state none; undefined until it is asked for. */
  private language: string | undefined;

  read(office: TemplatePackage, part: WordPart): ReadPart | undefined {
    const text = readText(office, part.name);
    if (text === undefined) return undefined;
    const xml = parseXmlPart(text);
    declarePrefix(xml.root);
    const fields = new Map<XmlElement, WordField>();
    const mayHaveFields = /fldChar|fldSimple/u.test(text);
    const paragraphs: Paragraph[] = [];
    let number = 0;
    for (const element of [...paragraphsIn(xml.root)]) {
      number += 1;
      const place = `${part.label}, paragraph ${number}`;
      const found = mayHaveFields ? wrapFields(element) : NO_FIELDS;
      for (const field of found.fields) fields.set(field.element, this.inLanguage(office, this.named(field)));
      for (const { field, problem } of found.faults) {
        this.faults.push(new UnprocessableEntity(`The field ${field} in ${place} ${problem}`));
      }
      paragraphs.push({ ...readParagraph(element), element, place });
    }
    // Most parts have no control, and are not searched for one.
    return { ...part, xml, paragraphs, fields, hasControls: text.includes("sdt") && hasControls(xml.root) };
  }

  /** A date's field with a language to write months in: its own, else the document's, else English. */
  private inLanguage(office: TemplatePackage, field: WordField): WordField {
    if (field.picture?.kind !== "date" || isLanguage(field.language)) return field;
    if (this.language === undefined) {
      const stated = documentLanguage(office);
      this.language = stated !== undefined && isLanguage(stated) ? stated : "en";
    }
    return { ...field, language: this.language };
  }

  private named(field: WordField): WordField {
    if (field.name !== "") return field;
    this.fieldNumber += 1;
    return { ...field, name: `field_${this.fieldNumber}` };
  }
}

function foreignFaults(parts: readonly ReadPart[]): UnprocessableEntity[] {
  return parts.flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ text, place }) => {
      const foreign = foreignStatement(text);
      return foreign === undefined ? [] : [tagFault(foreign.written, place, foreign.problem)];
    }),
  );
}

/** The tags of a part by the elements that stand for them, in document order. */
function readTags(part: ReadPart, delimiters: Delimiters, faults: UnprocessableEntity[]): Map<XmlElement, WordTag> {
  const byMark = new Map<XmlElement, WordTag>();
  for (const paragraph of part.paragraphs) {
    if (!paragraph.text.includes(delimiters.open)) continue;
    const found = markTags(paragraph.element, paragraph, delimiters, paragraph.place);
    faults.push(...found.faults);
    for (const tag of found.tags) byMark.set(tag.mark, tag);
    if (byMark.size > MAX_TAGS) throw new UnprocessableEntity(`The template has more than ${MAX_TAGS} tags`);
  }
  // A text box inside a paragraph stands between the paragraph's own tags.
  const isNested = [...byMark.values()].some(({ paragraph: { parent } }) => parent && closest(parent, "w:p"));
  if (!isNested) return byMark;
  const inOrder = new Map<XmlElement, WordTag>();
  for (const { element, tag } of marksIn(part.xml.root, byMark)) inOrder.set(element, tag);
  return inOrder;
}

function* marksIn(
  root: XmlElement,
  tags: ReadonlyMap<XmlElement, WordTag>,
): Generator<{ element: XmlElement; tag: WordTag }> {
  for (const element of descendants(root)) {
    const tag = element.name === MARK ? tags.get(element) : undefined;
    if (tag !== undefined) yield { element, tag };
  }
}

/** Braces in prose are text in a template that has no whole tag, and other fields. */
const isPlain = (texts: readonly string[], { open, close }: Delimiters, hasOthers: boolean): boolean =>
  hasOthers && !texts.some((text) => text.includes(open) && text.indexOf(close, text.indexOf(open)) > 0);

class WordCompiler {
  private readonly office: TemplatePackage;
  private readonly controls = new ControlReader();
  readonly faults: UnprocessableEntity[] = [];

  constructor(office: TemplatePackage) {
    this.office = office;
  }

  compile(part: ReadPart, tags: Map<XmlElement, WordTag>): CompiledPart | undefined {
    const controls = part.hasControls ? this.controls.read(part.xml.root) : new Map<XmlElement, Control>();
    if (tags.size + controls.size + part.fields.size === 0) return undefined;
    const matched = matchSections([...tags.values()]);
    const placed = new SectionPlacer(tags, listItemTest(this.office)).place(matched.sections);
    const columns = placeColumns(matched.columns);
    this.faults.push(...matched.faults, ...placed.faults, ...columns.faults);
    const { root } = part.xml;
    const { sections, dropped } = placed;
    if (this.faults.length > 0) return undefined;
    const program = compilePart({ root, tags, sections, columns, dropped, controls, fields: part.fields });
    const { name, label } = part;
    return { name, label, prolog: part.xml.prolog, program, controls: [...controls.values()] };
  }
}

/**
 * @throws UnprocessableEntity for a file with macros or a password, for tags that are malformed or of another language,
 *   and for fields that cannot be filled; JobFailure (corrupted) for a damaged one
 */
export function openWord(bytes: Uint8Array): OpenWord {
  const office = openTemplatePackage(bytes);
  const reader = new WordReader();
  const read = wordParts(office).flatMap((part) => reader.read(office, part) ?? []);
  if (read.find(({ name }) => name === mainWordPart(office))?.xml.root.name !== "w:document") {
    throw new UnprocessableEntity("The document has no body; open it in Word, save it, and upload it again");
  }
  refuseFaults(foreignFaults(read));
  const texts = read.flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text));
  const delimiters = detectDelimiters(texts);
  const hasOthers = read.some(({ fields, hasControls: own }) => fields.size > 0 || own);
  const compiler = new WordCompiler(office);
  const faults = [...reader.faults];
  const marked = read.map((part) =>
    isPlain(texts, delimiters, hasOthers) ? new Map<XmlElement, WordTag>() : readTags(part, delimiters, faults),
  );
  refuseFaults(faults);
  const parts = read.flatMap((part, index) => compiler.compile(part, marked[index] ?? new Map()) ?? []);
  refuseFaults(compiler.faults);
  const hasMergeFields = read.some(({ fields }) => [...fields.values()].some(({ kind }) => kind === "merge"));
  return { office, parts, hasMergeFields };
}

function hasControls(root: XmlElement): boolean {
  for (const { name } of descendants(root)) if (name === "w:sdt") return true;
  return false;
}
