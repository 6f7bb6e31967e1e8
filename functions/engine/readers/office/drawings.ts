/** What a drawing holds that can be read: pictures, text boxes, and references to diagrams and charts. */
import { chosenBranch, elementsOf, integerOf, type XmlElement } from "./xml-parts.ts";

/** A picture that stands in the text. */
export interface PictureReference {
  /** Id of its relationship. */
  id: string;
  /** What is said to be seen on it; empty when nothing is. */
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
/** No page is larger; drawings that say so are mistaken. */
const LARGEST_INCHES = 100;
const USUAL_INCHES = 1;

/** English Metric Units as inches; undefined for what is no length. */
export function emuToInches(value: string | undefined): number | undefined {
  const emu = integerOf(value, -LARGEST_INCHES * EMU_PER_INCH, LARGEST_INCHES * EMU_PER_INCH);
  return emu === undefined ? undefined : emu / EMU_PER_INCH;
}

const INCHES_PER: Readonly<Record<string, number>> = { in: 1, pt: 1 / 72, px: 1 / 96, cm: 1 / 2.54, mm: 1 / 25.4 };

/** A length of a VML style, such as `width:12.5pt`. */
function styleLength(style: string | undefined, name: string): number | undefined {
  const [, value, unit = "pt"] =
    new RegExp(`(?:^|;)\\s*${name}:\\s*([\\d.]+)(in|pt|px|cm|mm)?`).exec(style ?? "") ?? [];
  if (value === undefined) return undefined;
  return Math.min(Number(value) * (INCHES_PER[unit] ?? 0), LARGEST_INCHES) || undefined;
}

interface Frame {
  width: number;
  height: number;
  altText: string;
}

/** What an element says about the size and meaning of the pictures in it. */
function frameOf({ name, attributes }: XmlElement, around: Frame): Frame {
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

function collect(element: XmlElement, around: Frame, found: DrawingContent): void {
  let frame = frameOf(element, around);
  for (const child of elementsOf(element)) {
    const { attributes } = child;
    const id = attributes["r:embed"] ?? attributes["r:id"];
    // The size stands in an element before the picture, not around it.
    if (child.name === "extent" || child.name === "docPr") frame = frameOf(child, frame);
    else if ((child.name === "blip" || child.name === "imagedata") && id !== undefined) {
      // Newer and older words for one picture stand beside each other.
      if (found.pictures.at(-1)?.id !== id) found.pictures.push({ id, ...frame });
    } else if (child.name === "txbxContent") found.textBoxes.push(child);
    else if (child.name === "relIds" && attributes["r:dm"] !== undefined) found.diagrams.push(attributes["r:dm"]);
    else if (child.name === "chart" && attributes["r:id"] !== undefined) found.charts.push(attributes["r:id"]);
    else if (child.name === "AlternateContent") {
      const branch = chosenBranch(child);
      if (branch !== undefined) collect(branch, frame, found);
    } else collect(child, frame, found);
  }
}

export const noContent = (): DrawingContent => ({ pictures: [], textBoxes: [], diagrams: [], charts: [] });

/** Adds what stands in a drawing, in its order. */
export function readDrawing(drawing: XmlElement, found = noContent()): DrawingContent {
  collect(drawing, { width: USUAL_INCHES, height: USUAL_INCHES, altText: "" }, found);
  return found;
}
