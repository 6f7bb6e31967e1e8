/** Readable content of a drawing: pictures, text boxes, and references to diagrams and charts. */
import { chosenBranch, elementsOf, integerOf, type XmlElement } from "./xml-parts.ts";

/** A picture in the text. */
export interface PictureReference {
  /** Id of its relationship. */
  id: string;
  /** Alternative text; empty when there is none. */
  altText: string;
  /** Inches. */
  width: number;
  height: number;
}

export interface DrawingContent {
  pictures: PictureReference[];
  /** Elements that hold paragraphs. */
  textBoxes: XmlElement[];
  /** Ids of the relationships to the data of diagrams. */
  diagrams: string[];
  /** Ids of the relationships to charts. */
  charts: string[];
}

const EMU_PER_INCH = 914_400;
/** No page is larger; drawings with larger lengths are wrong. */
const MAX_LENGTH_INCHES = 100;
const DEFAULT_SIDE_INCHES = 1;

/** Converts English Metric Units to inches; undefined for an invalid length. */
export function emuToInches(value: string | undefined): number | undefined {
  const emu = integerOf(value, -MAX_LENGTH_INCHES * EMU_PER_INCH, MAX_LENGTH_INCHES * EMU_PER_INCH);
  return emu === undefined ? undefined : emu / EMU_PER_INCH;
}

const INCHES_PER_UNIT: Readonly<Record<string, number>> = { in: 1, pt: 1 / 72, px: 1 / 96, cm: 1 / 2.54, mm: 1 / 25.4 };

/** A length of a VML style, such as `width:12.5pt`. */
function styleLength(style: string | undefined, name: string): number | undefined {
  const [, value, unit = "pt"] =
    new RegExp(`(?:^|;)\\s*${name}:\\s*([\\d.]+)(in|pt|px|cm|mm)?`).exec(style ?? "") ?? [];
  if (value === undefined) return undefined;
  return Math.min(Number(value) * (INCHES_PER_UNIT[unit] ?? 0), MAX_LENGTH_INCHES) || undefined;
}

interface PictureFrame {
  width: number;
  height: number;
  altText: string;
}

/** The size and alternative text that an element states for the pictures in it. */
function frameOf({ name, attributes }: XmlElement, around: PictureFrame): PictureFrame {
  if (name === "extent" || name === "ext") {
    const [width, height] = [emuToInches(attributes.cx), emuToInches(attributes.cy)];
    return { ...around, ...(width ? { width } : {}), ...(height ? { height } : {}) };
  }
  if (name === "docPr" || name === "cNvPr") return { ...around, altText: attributes.descr?.trim() || around.altText };
  if (name === "shape" || name === "rect") {
    return {
      width: styleLength(attributes.style, "width") ?? around.width,
      height: styleLength(attributes.style, "height") ?? around.height,
      altText: attributes.alt?.trim() || around.altText,
    };
  }
  return around;
}

function collectContent(element: XmlElement, around: PictureFrame, found: DrawingContent): void {
  let frame = frameOf(element, around);
  for (const child of elementsOf(element)) {
    const { attributes } = child;
    const id = attributes["r:embed"] ?? attributes["r:id"];
    // The size stands in an element before the picture, not around it.
    if (child.name === "extent" || child.name === "docPr") frame = frameOf(child, frame);
    else if ((child.name === "blip" || child.name === "imagedata") && id !== undefined) {
      // The same picture may stand there twice, in newer and older markup.
      if (found.pictures.at(-1)?.id !== id) found.pictures.push({ id, ...frame });
    } else if (child.name === "txbxContent") found.textBoxes.push(child);
    else if (child.name === "relIds" && attributes["r:dm"] !== undefined) found.diagrams.push(attributes["r:dm"]);
    else if (child.name === "chart" && attributes["r:id"] !== undefined) found.charts.push(attributes["r:id"]);
    else if (child.name === "AlternateContent") {
      const branch = chosenBranch(child);
      if (branch !== undefined) collectContent(branch, frame, found);
    } else collectContent(child, frame, found);
  }
}

export const emptyContent = (): DrawingContent => ({ pictures: [], textBoxes: [], diagrams: [], charts: [] });

/** Adds the content of a drawing, in order. */
export function readDrawing(drawing: XmlElement, found = emptyContent()): DrawingContent {
  collectContent(drawing, { width: DEFAULT_SIDE_INCHES, height: DEFAULT_SIDE_INCHES, altText: "" }, found);
  return found;
}
