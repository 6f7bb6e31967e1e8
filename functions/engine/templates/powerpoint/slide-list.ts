/** Writes the list of slides of a presentation: its entries, its sections, its shows, and the counts in its properties. */
import {
  addRelationship,
  OFFICE_RELATIONSHIPS,
  relationshipsTree,
  writeRelationships,
} from "../office/part-relationships.ts";
import type { TemplatePackage } from "../office/template-package.ts";
import {
  childNode,
  childNodes,
  descendants,
  localName,
  parseTree,
  writeTree,
  type XmlNode,
} from "../office/xml-tree.ts";
import { type Deck, type DeckSlide, relationshipId } from "./deck.ts";

/** A slide of the filled deck. */
export interface FilledSlide {
  source: DeckSlide;
  /** Its part: the template's own, or a copy. */
  name: string;
}

/** Smallest id of a slide (ECMA-376, 19.7.13). */
const MIN_SLIDE_ID = 256;
const PROPERTIES = "docProps/app.xml";
/** What the properties say of the slides' titles, which programs write anew. */
const STALE_PROPERTIES = new Set(["HeadingPairs", "TitlesOfParts"]);

const idOf = (entry: XmlNode): string => entry.attributes.id ?? "";

/** Ids by the template's: the first slide that is made of one keeps it. */
type NewIds = Map<string, string[]>;

function listEntries(deck: Deck, slides: readonly FilledSlide[]): { entries: XmlNode[]; ids: NewIds } {
  const { office, name } = deck;
  const ids: NewIds = new Map(deck.slides.map(({ entry }) => [idOf(entry), []]));
  let next = Math.max(MIN_SLIDE_ID - 1, ...deck.slides.map(({ entry }) => Number(idOf(entry)) || 0));
  const entries = slides.map((slide) => {
    const { entry } = slide.source;
    const known = ids.get(idOf(entry)) ?? [];
    ids.set(idOf(entry), known);
    if (slide.name === slide.source.slide.name) {
      known.push(idOf(entry));
      return entry;
    }
    next += 1;
    known.push(String(next));
    const relationship = addRelationship(office, name, `${OFFICE_RELATIONSHIPS}/slide`, slide.name);
    const attributes = Object.fromEntries(
      Object.entries(entry.attributes).map(([attribute, value]) => {
        if (attribute === "id") return [attribute, String(next)];
        return [attribute, attribute.endsWith(":id") ? relationship : value];
      }),
    );
    return { ...entry, attributes };
  });
  return { entries, ids };
}

/** Sections of slides list them by id, so that copies stand beside their slide. */
function writeSections(root: XmlNode, ids: NewIds): void {
  for (const list of descendants(root, "sectionLst")) {
    for (const slides of descendants(list, "sldIdLst")) {
      slides.children = childNodes(slides).flatMap((entry) => {
        const now = ids.get(idOf(entry));
        return now === undefined ? [entry] : now.map((id) => ({ ...entry, attributes: { ...entry.attributes, id } }));
      });
    }
  }
}

/** Shows of a part of the slides leave out those that are gone. */
function writeShows(root: XmlNode, gone: ReadonlySet<string>): void {
  for (const show of descendants(root, "sldLst")) {
    show.children = childNodes(show).filter((entry) => !gone.has(relationshipId(entry) ?? ""));
  }
}

function dropRelationships(office: TemplatePackage, name: string, gone: ReadonlySet<string>): void {
  if (gone.size === 0) return;
  const root = relationshipsTree(office, name);
  root.children = childNodes(root).filter(({ attributes }) => !gone.has(attributes.Id ?? ""));
  writeRelationships(office, name, root);
}

/** The counts of slides and notes in the document's properties. */
function writeProperties(office: TemplatePackage, slides: number, notes: number): void {
  const bytes = office.read(PROPERTIES);
  if (bytes === undefined) return;
  const root = parseTree(bytes);
  const counts: Record<string, number> = { Slides: slides, Notes: notes };
  root.children = childNodes(root).flatMap((node) => {
    const count = counts[localName(node)];
    if (STALE_PROPERTIES.has(localName(node))) return [];
    return [count === undefined ? node : { ...node, children: [String(count)] }];
  });
  office.write(PROPERTIES, writeTree(root));
}

/** Makes these the slides of the presentation, where they differ from the template's. The parts are there already. */
export function writeSlideList(deck: Deck, slides: readonly FilledSlide[]): void {
  const { office, name, root } = deck;
  const isSame =
    slides.length === deck.slides.length &&
    slides.every((slide, index) => slide.name === deck.slides[index]?.slide.name);
  if (isSame) return;
  const list = childNode(root, "sldIdLst");
  if (list === undefined) return;
  const { entries, ids } = listEntries(deck, slides);
  const kept = new Set(slides.map(({ name: part }) => part));
  const gone = new Set(
    deck.slides.filter(({ slide }) => !kept.has(slide.name)).map(({ entry }) => relationshipId(entry) ?? ""),
  );
  list.children = entries;
  writeSections(root, ids);
  writeShows(root, gone);
  dropRelationships(office, name, gone);
  office.write(name, writeTree(root));
  writeProperties(office, slides.length, slides.filter(({ source }) => source.notes !== undefined).length);
}
