/**
 * Finds the places of pictures in office documents: in Word's paragraphs, on slides, on sheets. None is decoded here.
 */
import type { Box } from "../../../ports/layout.ts";
import { beginsFigureCaption } from "../../structure/figures/figure-captions.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { OfficePackage } from "../office/office-package.ts";
import { type Relationships, readRelationships, relatedPart } from "../office/relationships.ts";
import {
  childOf,
  chosenBranch,
  descendantOf,
  elementsOf,
  integerOf,
  parseXml,
  readXml,
  textOf,
  type XmlBudget,
  type XmlElement,
} from "../office/xml-parts.ts";

export interface OfficePicture {
  /** Name of its part. */
  part: string;
  /** Page, slide or sheet, from 1. */
  pageNumber: number;
  /** Inches on the slide; null elsewhere. */
  bbox: Box | null;
  /** Inches, as shown; 0 where unknown. */
  width: number;
  height: number;
  caption?: string;
  /** Its alternative text, else the text near it. */
  surroundingText?: string;
}

/** English Metric Units in an inch (ECMA-376 part 1, 20.1.2.1). */
const EMU_PER_INCH = 914_400;
const MAX_PICTURES = 2_000;
const MAX_SLIDES = 5_000;
const MAX_TEXT_LENGTH = 300;
/** Descriptions that applications write where nobody described the picture: `Picture 3`, `image1.png`. */
const NO_DESCRIPTION = new RegExp(
  `^(?:(?:${anyOf(wordsOf(({ layout }) => layout.pictureNames))})\\s*\\d*|[^\\s]+\\.\\w{2,4})$`,
  "i",
);

/** All descendants of an element, in order; of alternatives one. */
function* descendants(element: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(element)) {
    if (child.name === "AlternateContent") {
      const branch = chosenBranch(child);
      if (branch !== undefined) yield* descendants(branch);
      continue;
    }
    yield child;
    yield* descendants(child);
  }
}

const firstOf = (element: XmlElement, name: string): XmlElement | undefined => {
  for (const one of descendants(element)) if (one.name === name) return one;
  return undefined;
};

const textIn = (element: XmlElement): string => {
  let text = "";
  for (const one of descendants(element)) {
    if (one.name === "t") text += textOf(one);
    else if (one.name === "tab" || one.name === "br") text += " ";
  }
  return text.replaceAll(/\s+/g, " ").trim();
};

const inchesOf = (value: string | undefined): number =>
  (integerOf(value, -EMU_PER_INCH * 1_000, EMU_PER_INCH * 1_000) ?? 0) / EMU_PER_INCH;

function descriptionOf(named: XmlElement | undefined): string | undefined {
  const text = (named?.attributes.descr ?? "").replaceAll(/\s+/g, " ").trim();
  return text === "" || NO_DESCRIPTION.test(text) ? undefined : text.slice(0, MAX_TEXT_LENGTH);
}

/** The part that a drawing shows; undefined for one outside the file, which is not followed. */
function partOf(relationships: Relationships, id: string | undefined): string | undefined {
  const found = id === undefined ? undefined : relationships.get(id);
  return found === undefined || found.external ? undefined : found.target;
}

const around = (description: string | undefined): Pick<OfficePicture, "surroundingText"> =>
  description === undefined ? {} : { surroundingText: description };

/** Drawings (20.4.2) and the older VML pictures of a paragraph. */
function picturesInParagraph(paragraph: XmlElement, relationships: Relationships, pageNumber: number): OfficePicture[] {
  const pictures: OfficePicture[] = [];
  for (const element of descendants(paragraph)) {
    if (element.name === "drawing") {
      const frame = childOf(element, "inline") ?? childOf(element, "anchor");
      const extent = childOf(frame, "extent")?.attributes;
      const size = { width: inchesOf(extent?.cx), height: inchesOf(extent?.cy) };
      const near = around(descriptionOf(childOf(frame, "docPr")));
      for (const one of descendants(element)) {
        const part = one.name === "blip" ? partOf(relationships, one.attributes["r:embed"]) : undefined;
        if (part !== undefined) pictures.push({ part, pageNumber, bbox: null, ...size, ...near });
      }
    } else if (element.name === "imagedata") {
      const part = partOf(relationships, element.attributes["r:id"]);
      if (part !== undefined) pictures.push({ part, pageNumber, bbox: null, width: 0, height: 0 });
    }
  }
  return pictures;
}

const startsPage = ({ name, attributes }: XmlElement): boolean =>
  name === "lastRenderedPageBreak" || (name === "br" && attributes.type === "page");

const CAPTION_STYLE = new RegExp(`^(?:${anyOf(wordsOf(({ layout }) => layout.captionStyles))})$`, "i");

const isCaptionStyle = (paragraph: XmlElement): boolean =>
  CAPTION_STYLE.test(descendantOf(paragraph, "pPr", "pStyle")?.attributes.val ?? "");

/** Finds the pictures of a Word document's body; pages as Word last broke them, where the file says so. */
export function wordPictures(office: OfficePackage, main: string, budget: XmlBudget): OfficePicture[] {
  const part = office.read(main);
  if (part === undefined) return [];
  const relationships = readRelationships(office, main, budget);
  const pictures: OfficePicture[] = [];
  let pageNumber = 1;
  let waiting: OfficePicture[] = [];
  let before: { text: string; isCaption: boolean } = { text: "", isCaption: false };
  const take = (paragraph: XmlElement): void => {
    for (const element of descendants(paragraph)) if (startsPage(element)) pageNumber += 1;
    const text = textIn(paragraph).slice(0, MAX_TEXT_LENGTH);
    const isCaption = text !== "" && (isCaptionStyle(paragraph) || beginsFigureCaption(text));
    for (const picture of waiting) {
      if (isCaption) picture.caption = text;
      else if (text !== "") picture.surroundingText ??= text;
    }
    if (text !== "" && isCaption && waiting.length > 0) before = { text: "", isCaption: false };
    else if (text !== "") before = { text, isCaption };
    if (text !== "") waiting = [];
    const found = picturesInParagraph(paragraph, relationships, pageNumber);
    for (const picture of found) {
      if (before.isCaption && pictures.length < MAX_PICTURES) picture.caption = before.text;
      else if (text !== "" && !isCaption) picture.surroundingText ??= text;
      else if (isCaption) picture.caption = text;
    }
    if (found.length > 0 && before.isCaption) before = { text: "", isCaption: false };
    pictures.push(...found.slice(0, MAX_PICTURES - pictures.length));
    waiting.push(...found.filter(({ caption }) => caption === undefined));
  };
  readXml(part, { whole: (name) => name === "p", take, close: () => undefined }, budget);
  if (before.text !== "") for (const picture of waiting) picture.surroundingText ??= before.text;
  return pictures;
}

/** `pic` elements on a slide; those within groups have the group's own coordinates, and so no place here. */
function picturesOnSlide(tree: XmlElement, relationships: Relationships, pageNumber: number): OfficePicture[] {
  const pictures: OfficePicture[] = [];
  const placed = new Set(elementsOf(tree));
  for (const picture of descendants(tree)) {
    if (picture.name !== "pic") continue;
    const part = partOf(relationships, firstOf(picture, "blip")?.attributes["r:embed"]);
    if (part === undefined) continue;
    const frame = descendantOf(picture, "spPr", "xfrm");
    const [off, ext] = [childOf(frame, "off")?.attributes, childOf(frame, "ext")?.attributes];
    const [left, top] = [inchesOf(off?.x), inchesOf(off?.y)];
    const size = { width: inchesOf(ext?.cx), height: inchesOf(ext?.cy) };
    const bbox =
      placed.has(picture) && size.width > 0 && size.height > 0
        ? { left, top, right: left + size.width, bottom: top + size.height }
        : null;
    pictures.push({
      part,
      pageNumber,
      bbox,
      ...size,
      ...around(descriptionOf(descendantOf(picture, "nvPicPr", "cNvPr"))),
    });
  }
  return pictures;
}

/** The parts that the main part lists under `list`, in its order. */
function listedParts(office: OfficePackage, main: string, list: string, budget: XmlBudget): string[] {
  const part = office.read(main);
  if (part === undefined) return [];
  const relationships = readRelationships(office, main, budget);
  const listed = childOf(parseXml(part, budget), list);
  const ids = [...(listed === undefined ? [] : elementsOf(listed))].map(({ attributes }) => attributes["r:id"]);
  return ids.slice(0, MAX_SLIDES).flatMap((id) => partOf(relationships, id) ?? []);
}

/**
 * Finds the pictures on a presentation's slides, with the slide's text. A picture as large as the slide is its
 * background.
 */
export function slidePictures(office: OfficePackage, main: string, budget: XmlBudget): OfficePicture[] {
  return listedParts(office, main, "sldIdLst", budget).flatMap((slide, index) => {
    const part = office.read(slide);
    if (part === undefined) return [];
    const root = parseXml(part, budget);
    const tree = descendantOf(root, "cSld", "spTree");
    if (tree === undefined) return [];
    const title = textIn(tree).slice(0, MAX_TEXT_LENGTH);
    return picturesOnSlide(tree, readRelationships(office, slide, budget), index + 1).map((picture) =>
      picture.surroundingText === undefined && title !== "" ? { ...picture, surroundingText: title } : picture,
    );
  });
}

/** Finds the pictures on a workbook's sheets. */
export function sheetPictures(office: OfficePackage, main: string, budget: XmlBudget): OfficePicture[] {
  return listedParts(office, main, "sheets", budget).flatMap((sheet, index) => {
    const drawing = relatedPart(readRelationships(office, sheet, budget), "drawing");
    const part = drawing === undefined ? undefined : office.read(drawing);
    if (drawing === undefined || part === undefined) return [];
    const pictures = picturesOnSlide(parseXml(part, budget), readRelationships(office, drawing, budget), index + 1);
    return pictures.map((picture) => ({ ...picture, bbox: null }));
  });
}
