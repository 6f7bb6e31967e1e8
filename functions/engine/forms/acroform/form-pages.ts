/** The pages of a PDF as forms need them: size, rotation and widgets. */
import { PDFDict, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import type { Box } from "../../../ports/layout.ts";
import type { Rectangle } from "./acroform.ts";
import { dictOf, entry, listOf, numberOf, rectangleOf } from "./pdf-values.ts";

export interface FormPage {
  /** From 1. */
  pageNumber: number;
  dict: PDFDict;
  /** The shown part of the page, in PDF user space. */
  crop: Rectangle;
  /** Rotation for display in degrees clockwise. */
  rotation: 0 | 90 | 180 | 270;
  /** Points, as shown. */
  width: number;
  height: number;
  widgets: PDFDict[];
}

const MAX_PAGES = 20_000;
const MAX_TREE_NODES = 50_000;
const MAX_TREE_DEPTH = 64;
const MAX_PAGE_ANNOTATIONS = 100_000;
/** Default page size in points: US letter. */
const DEFAULT_PAGE_POINTS: Rectangle = [0, 0, 612, 792];

const INHERITED_PAGE_ATTRIBUTES = ["MediaBox", "CropBox", "Rotate"] as const;
type PageAttributes = Partial<Record<(typeof INHERITED_PAGE_ATTRIBUTES)[number], PDFObject>>;

function cropOf(inherited: PageAttributes): Rectangle {
  const media = rectangleOf(inherited.MediaBox) ?? DEFAULT_PAGE_POINTS;
  const crop = rectangleOf(inherited.CropBox) ?? media;
  const both: Rectangle = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  const [left, bottom, right, top] = both;
  return right > left && top > bottom ? both : media;
}

function rotationOf(object: PDFObject | undefined): FormPage["rotation"] {
  const turn = (((numberOf(object) ?? 0) % 360) + 360) % 360;
  return turn === 90 || turn === 180 || turn === 270 ? turn : 0;
}

function readPage(dict: PDFDict, inherited: PageAttributes, pageNumber: number): FormPage {
  const crop = cropOf(inherited);
  const rotation = rotationOf(inherited.Rotate);
  const [across, down] = [crop[2] - crop[0], crop[3] - crop[1]];
  const [width, height] = rotation % 180 === 0 ? [across, down] : [down, across];
  const widgets = listOf(dict, "Annots", MAX_PAGE_ANNOTATIONS).filter(
    (annotation): annotation is PDFDict => annotation instanceof PDFDict && isWidget(annotation),
  );
  return { pageNumber, dict, crop, rotation, width, height, widgets: [...new Set(widgets)] };
}

export const isWidget = (dict: PDFDict): boolean => entry(dict, "Subtype") === PDFName.of("Widget");

/** Reads the pages in order. A tree that loops, or is deeper or larger than any real one, is cut off there. */
export function readPages(catalog: PDFDict): FormPage[] {
  const pages: FormPage[] = [];
  const seen = new Set<PDFDict>();
  const root = dictOf(catalog, "Pages");
  const stack: { node: PDFDict; inherited: PageAttributes; depth: number }[] =
    root === undefined ? [] : [{ node: root, inherited: {}, depth: 0 }];
  for (let next = stack.pop(); next !== undefined && pages.length < MAX_PAGES; next = stack.pop()) {
    const { node, depth } = next;
    if (seen.has(node) || seen.size >= MAX_TREE_NODES) continue;
    seen.add(node);
    const inherited = { ...next.inherited };
    for (const key of INHERITED_PAGE_ATTRIBUTES) {
      const own = entry(node, key);
      if (own !== undefined) inherited[key] = own;
    }
    if (node.has(PDFName.of("Kids"))) {
      const kids = depth < MAX_TREE_DEPTH ? listOf(node, "Kids", MAX_TREE_NODES) : [];
      for (const kid of kids.reverse())
        if (kid instanceof PDFDict) stack.push({ node: kid, inherited, depth: depth + 1 });
    } else {
      pages.push(readPage(node, inherited, pages.length + 1));
    }
  }
  return pages;
}

/** Rounds points to a thousandth. */
export const roundPoints = (points: number): number => Math.round(points * 1000) / 1000;

/** Converts a rectangle of PDF user space to points from the top left corner of the page as shown. */
export function toShownBox({ crop, rotation }: FormPage, [x0, y0, x1, y1]: Rectangle): Box {
  const [left, bottom, right, top] = crop;
  const boxes: Record<FormPage["rotation"], Box> = {
    0: { left: x0 - left, top: top - y1, right: x1 - left, bottom: top - y0 },
    90: { left: y0 - bottom, top: x0 - left, right: y1 - bottom, bottom: x1 - left },
    180: { left: right - x1, top: y0 - bottom, right: right - x0, bottom: y1 - bottom },
    270: { left: top - y1, top: right - x1, right: top - y0, bottom: right - x0 },
  };
  const box = boxes[rotation];
  return {
    left: roundPoints(box.left),
    top: roundPoints(box.top),
    right: roundPoints(box.right),
    bottom: roundPoints(box.bottom),
  };
}

/** Converts points from the top left corner of the page as shown to a rectangle of PDF user space. */
export function toUserSpace({ crop, rotation }: Pick<FormPage, "crop" | "rotation">, box: Box): Rectangle {
  const [left, bottom, right, top] = crop;
  const rectangles: Record<FormPage["rotation"], Rectangle> = {
    0: [left + box.left, top - box.bottom, left + box.right, top - box.top],
    90: [left + box.top, bottom + box.left, left + box.bottom, bottom + box.right],
    180: [right - box.right, bottom + box.top, right - box.left, bottom + box.bottom],
    270: [right - box.bottom, top - box.right, right - box.top, top - box.left],
  };
  const [x0, y0, x1, y1] = rectangles[rotation];
  return [roundPoints(x0), roundPoints(y0), roundPoints(x1), roundPoints(y1)];
}
