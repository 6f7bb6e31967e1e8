/** Links of a PDF page, and the words under them. */
import type { Box, Word } from "../../../ports/layout.ts";
import { containsMiddle, middleY } from "../../layout/geometry.ts";
import { type Pdfium, type Rectangle, readRectangle, withMemory } from "./pdfium.ts";

/** PDFACTION_URI, fpdf_doc.h. */
const URI_ACTION = 3;
const MAX_URI_BYTES = 4096;
/** Rectangles of one link over several lines. */
const MAX_QUADS = 100;
/** Safe schemes; scripts, files and the like are no links. */
const SAFE_SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);

/** A link and its place in PDF user space. */
export interface LinkArea extends Rectangle {
  uri: string;
}

/** A link's place on the page as shown, in points. */
export interface PageLink {
  box: Box;
  uri: string;
}

const decoder = new TextDecoder();

function isSafe(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && SAFE_SCHEMES.has(url.protocol);
}

function readUri(pdfium: Pdfium, document: number, annotation: number): string | undefined {
  const { call } = pdfium;
  const link = call.FPDFAnnot_GetLink(annotation);
  const action = link === 0 ? 0 : call.FPDFLink_GetAction(link);
  if (action === 0 || call.FPDFAction_GetType(action) !== URI_ACTION) return undefined;
  const bytes = call.FPDFAction_GetURIPath(document, action, 0, 0);
  if (bytes <= 1 || bytes > MAX_URI_BYTES) return undefined;
  return withMemory(pdfium, bytes, (buffer) => {
    call.FPDFAction_GetURIPath(document, action, buffer, bytes);
    return decoder.decode(pdfium.bytes().slice(buffer, buffer + bytes - 1)).trim();
  });
}

/** The rectangles of a link over several lines (QuadPoints, PDF 32000-1, table 173). */
function readQuads(pdfium: Pdfium, annotation: number): Rectangle[] {
  const { call } = pdfium;
  const count = Math.min(call.FPDFAnnot_CountAttachmentPoints(annotation), MAX_QUADS);
  return withMemory(pdfium, 32, (points) => {
    const rectangles: Rectangle[] = [];
    for (let index = 0; index < count; index += 1) {
      if (call.FPDFAnnot_GetAttachmentPoints(annotation, index, points) === 0) continue;
      const view = pdfium.view();
      const values = Array.from({ length: 8 }, (_, at) => view.getFloat32(points + 4 * at, true));
      const [x, y] = [0, 1].map((axis) => values.filter((_, at) => at % 2 === axis)) as [number[], number[]];
      rectangles.push({
        left: Math.min(...x),
        right: Math.max(...x),
        bottom: Math.min(...y),
        top: Math.max(...y),
      });
    }
    return rectangles;
  });
}

/** The target and the places of a link annotation; empty for an unsafe target or none. */
export function readLink(pdfium: Pdfium, document: number, annotation: number): LinkArea[] {
  const uri = readUri(pdfium, document, annotation);
  if (uri === undefined || !isSafe(uri)) return [];
  const quads = readQuads(pdfium, annotation);
  if (quads.length > 0) return quads.map((rectangle) => ({ ...rectangle, uri }));
  const rectangle = readRectangle(pdfium, (pointer) => pdfium.call.FPDFAnnot_GetRect(annotation, pointer));
  return rectangle === undefined ? [] : [{ ...rectangle, uri }];
}

/** Links by the strips of the page that they reach into, so that each word checks few of them. */
function linksByStrip(links: readonly PageLink[], height: number): Map<number, PageLink[]> {
  const strips = new Map<number, PageLink[]>();
  for (const link of links) {
    const last = Math.floor(Math.min(link.box.bottom, 200 * height) / height);
    for (let strip = Math.max(Math.floor(link.box.top / height), 0); strip <= last; strip += 1) {
      const own = strips.get(strip);
      if (own === undefined) strips.set(strip, [link]);
      else own.push(link);
    }
  }
  return strips;
}

/** Half an inch: a few lines of type. */
const STRIP_INCHES = 0.5;

/** Sets `link` on the words whose centre lies on a link. @param words with boxes in inches of the page */
export function linkWords(words: Iterable<Word>, links: readonly PageLink[]): void {
  if (links.length === 0) return;
  const inches = links.map(({ box, uri }) => ({
    uri,
    box: { left: box.left / 72, top: box.top / 72, right: box.right / 72, bottom: box.bottom / 72 },
  }));
  const strips = linksByStrip(inches, STRIP_INCHES);
  for (const word of words) {
    const link = strips
      .get(Math.floor(middleY(word.box) / STRIP_INCHES))
      ?.find(({ box }) => containsMiddle(box, word.box));
    if (link !== undefined) word.link = link.uri;
  }
}
