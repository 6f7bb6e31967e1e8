/** Footnotes and endnotes (ECMA-376 part 1, 17.11): their marks in the text, and the notes by their marks. */
import { formatCount } from "../number-formats.ts";
import type { OfficePackage } from "../office-package.ts";
import { type Relationships, readRelationships, relatedPart } from "../relationships.ts";
import { readXml, type XmlBudget, type XmlElement } from "../xml-parts.ts";

export type NoteKind = "footnote" | "endnote";

/** Word's default number formats. */
const DEFAULT_NUMBER_FORMATS: Readonly<Record<NoteKind, string>> = { footnote: "decimal", endnote: "lowerRoman" };

export interface Note {
  /** Empty for a note with a mark of the author's own. */
  mark: string;
  element: XmlElement;
  relationships: Relationships;
}

interface NotePart {
  notes: ReadonlyMap<string, XmlElement>;
  relationships: Relationships;
}

function readNotePart(office: OfficePackage, name: string | undefined, kind: NoteKind, budget: XmlBudget): NotePart {
  const notes = new Map<string, XmlElement>();
  const part = name === undefined ? undefined : office.read(name);
  if (name === undefined || part === undefined) return { notes, relationships: new Map() };
  const take = (element: XmlElement): void => {
    const { id, type = "normal" } = element.attributes;
    if (id !== undefined && type === "normal") notes.set(id, element);
  };
  readXml(part, { whole: (element) => element === kind, take }, budget);
  return { notes, relationships: readRelationships(office, name, budget) };
}

/** Numbers references in order of appearance, and returns each note once. */
export class Notes {
  readonly #parts: Readonly<Record<NoteKind, NotePart>>;
  readonly #counts: Record<NoteKind, number> = { footnote: 0, endnote: 0 };
  readonly #waiting: Record<NoteKind, Note[]> = { footnote: [], endnote: [] };
  readonly #seen = new Set<XmlElement>();

  constructor(office: OfficePackage, relationships: Relationships, budget: XmlBudget) {
    this.#parts = {
      footnote: readNotePart(office, relatedPart(relationships, "footnotes"), "footnote", budget),
      endnote: readNotePart(office, relatedPart(relationships, "endnotes"), "endnote", budget),
    };
  }

  /** Refers to a note. @param own the mark that the text already has for it @returns its mark */
  refer(kind: NoteKind, id: string, own?: string): string {
    const { notes, relationships } = this.#parts[kind];
    if (own === undefined) this.#counts[kind] += 1;
    const mark = own ?? `[${formatCount(this.#counts[kind], DEFAULT_NUMBER_FORMATS[kind])}]`;
    const element = notes.get(id);
    if (element !== undefined && !this.#seen.has(element)) {
      this.#seen.add(element);
      this.#waiting[kind].push({ mark, element, relationships });
    }
    return mark;
  }

  /** The notes referred to since the last call, in order. */
  take(kind: NoteKind): Note[] {
    return this.#waiting[kind].splice(0);
  }
}
