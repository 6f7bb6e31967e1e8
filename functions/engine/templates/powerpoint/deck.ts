/** The slides of a presentation with their notes, as trees that filling changes. */
import { UnprocessableEntity } from "../../../ports/errors.ts";
import { mainPartOf, relationshipsOf } from "../office/part-relationships.ts";
import type { TemplatePackage } from "../office/template-package.ts";
import { childNode, childNodes, parseTree, type XmlNode } from "../office/xml-tree.ts";

/** A part that tags stand in. */
export interface DeckPart {
  name: string;
  root: XmlNode;
  /** For sentences: `slide 2`, `the notes of slide 2`. */
  place: string;
}

export interface DeckSlide {
  /** Its entry in the presentation's list. */
  entry: XmlNode;
  slide: DeckPart;
  notes: DeckPart | undefined;
}

export interface Deck {
  office: TemplatePackage;
  /** Name and tree of the presentation's part. */
  name: string;
  root: XmlNode;
  slides: DeckSlide[];
}

const partOf = (office: TemplatePackage, name: string, place: string): DeckPart | undefined => {
  const bytes = office.read(name);
  return bytes === undefined ? undefined : { name, root: parseTree(bytes), place };
};

/** The id of a relationship that an element names; its prefix is the file's choice. */
export const relationshipId = ({ attributes }: XmlNode, local = "id"): string | undefined => {
  const name = Object.keys(attributes).find((one) => one.includes(":") && one.endsWith(`:${local}`));
  return name === undefined ? undefined : attributes[name];
};

/** The part of a slide's speaker notes. */
function notesOf(office: TemplatePackage, slide: string, place: string): DeckPart | undefined {
  const notes = relationshipsOf(office, slide).find(({ type }) => type.endsWith("/notesSlide"));
  return notes === undefined ? undefined : partOf(office, notes.target, place);
}

/** @throws UnprocessableEntity for a presentation without slides; JobFailure (corrupted) for damaged parts */
export function openDeck(office: TemplatePackage): Deck {
  const name = mainPartOf(office, "ppt/presentation.xml");
  const part = office.read(name);
  if (part === undefined) throw new UnprocessableEntity("The presentation has no main part; it appears to be damaged");
  const root = parseTree(part);
  const targets = new Map(relationshipsOf(office, name).map(({ id, target }) => [id, target]));
  const list = childNode(root, "sldIdLst");
  const slides = (list === undefined ? [] : childNodes(list)).flatMap((entry, index): DeckSlide[] => {
    const target = targets.get(relationshipId(entry) ?? "");
    const place = `slide ${index + 1}`;
    const slide = target === undefined ? undefined : partOf(office, target, place);
    return slide === undefined ? [] : [{ entry, slide, notes: notesOf(office, slide.name, `the notes of ${place}`) }];
  });
  if (slides.length === 0) throw new UnprocessableEntity("The presentation has no slides to fill");
  return { office, name, root, slides };
}
