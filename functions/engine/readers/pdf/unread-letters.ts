/** Letters in pictures or drawn outlines, where the text layer has no characters. */

import type { Box } from "../../../ports/layout.ts";
import { countLetterBoxes, countLetters } from "../../imaging/text-likeness.ts";
import { area, containsMiddle, intersection, unionBox } from "../../layout/geometry.ts";
import { connectedShapes } from "../figures/figure-drawings.ts";
import { withDrawnPart } from "./draw-page.ts";
import { imageKey, storedBytes } from "./figure-objects.ts";
import type { Glyph } from "./glyph.ts";
import type { PdfPage } from "./pdf-page.ts";
import { POINTS_PER_INCH } from "./points-to-inches.ts";

/** A picture as a page draws it. */
interface DrawnPicture {
  /** Points, as shown. */
  box: Box;
  object: number;
  /** Pixels, as stored. */
  width: number;
  height: number;
}

/** Places on a page that may show letters. */
export interface LetterPlaces {
  pictures: DrawnPicture[];
  /** Boxes of filled paths in points, as shown. */
  outlines: Box[];
}

/**
 * Resolution for counting letters, lower on large pages: fine where little is drawn, and 100 for a letter-size page.
 */
const COUNTING_DPI = 150;
const MAX_COUNTING_PIXELS = 950_000;
/** Area of pictures in square points. Less is an icon, or a logo without room for a line of text. */
const MIN_PICTURES_SQUARE_POINTS = 1_000;
/** Count of outlines. Fewer are a word mark, check marks, round corners; a line of text has as many. */
const MIN_OUTLINES = 30;
/** Tolerance in points for the same drawing on another page. Pictures are distinguished by their bytes. */
const SAME_PICTURE_STEP_POINTS = 2;
const SAME_OUTLINE_STEP_POINTS = 0.1;
const MAX_REMEMBERED_PLACES = 50_000;
/**
 * Parts are drawn separately up to this number, when their area is at most this share of the whole. The engine walks
 * the whole page for each part.
 */
const MAX_PARTS = 4;
const MAX_PARTS_AREA_SHARE = 0.5;
/** This many invisible characters over a picture are the OCR text of a scanner. */
const MIN_HIDDEN_CHARACTERS = 20;

const sides = ({ left, top, right, bottom }: Box): [number, number] => [right - left, bottom - top];

const totalArea = (boxes: readonly Box[]): number => boxes.reduce((total, box) => total + area(box), 0);

/** Height of a band in points, about a line of text. */
const BAND_POINTS = 12;

/** Outlines without a character on them: others are backgrounds of text, or underlines. */
function freeOutlines(outlines: readonly Box[], glyphs: readonly Glyph[]): Box[] {
  const bands = new Map<number, Glyph[]>();
  for (const glyph of glyphs) {
    for (let band = Math.floor(glyph.top / BAND_POINTS); band <= glyph.bottom / BAND_POINTS; band += 1) {
      const own = bands.get(band);
      if (own === undefined) bands.set(band, [glyph]);
      else own.push(glyph);
    }
  }
  const touches = (a: Box, b: Box): boolean =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return outlines.filter((outline) => {
    for (let band = Math.floor(outline.top / BAND_POINTS); band <= outline.bottom / BAND_POINTS; band += 1) {
      if (bands.get(band)?.some((box) => touches(box, outline)) === true) return false;
    }
    return true;
  });
}

/** Pictures without a text layer over them. */
function unreadPictures(pictures: readonly DrawnPicture[], glyphs: readonly Glyph[]): DrawnPicture[] {
  const hidden = glyphs.filter(({ style }) => style.hidden);
  if (hidden.length < MIN_HIDDEN_CHARACTERS) return [...pictures];
  return pictures.filter(
    (picture) => hidden.filter((glyph) => containsMiddle(picture.box, glyph)).length < MIN_HIDDEN_CHARACTERS,
  );
}

/** A grey picture, white at first, into which parts of a page are copied. */
class GreyCanvas {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly #scale: number;
  readonly #left: number;
  readonly #top: number;

  constructor(area: Box, width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height).fill(255);
    this.#scale = width / (area.right - area.left);
    this.#left = area.left;
    this.#top = area.top;
  }

  /** Visits every row of a box and of the pixels around it, with its first pixel and one past its last. */
  #eachRow({ left, top, right, bottom }: Box, visit: (from: number, to: number) => void): void {
    const from = Math.max(Math.floor((left - this.#left) * this.#scale) - 1, 0);
    const to = Math.min(Math.ceil((right - this.#left) * this.#scale) + 1, this.width);
    const last = Math.min(Math.ceil((bottom - this.#top) * this.#scale) + 1, this.height);
    for (let y = Math.max(Math.floor((top - this.#top) * this.#scale) - 1, 0); y < last && to > from; y += 1)
      visit(y * this.width + from, y * this.width + to);
  }

  /** @param rgba pixels of the whole canvas */
  copy(box: Box, rgba: Uint8Array): void {
    this.#eachRow(box, (from, to) => {
      for (let at = from; at < to; at += 1) {
        // Luma (ITU-R BT.709, 3.2), as whole 256ths.
        this.pixels[at] =
          ((rgba[4 * at] ?? 0) * 54 + (rgba[4 * at + 1] ?? 0) * 183 + (rgba[4 * at + 2] ?? 0) * 19) >> 8;
      }
    });
  }

  erase(box: Box): void {
    this.#eachRow(box, (from, to) => this.pixels.fill(255, from, to));
  }
}

const clip = (page: PdfPage, box: Box): Box =>
  intersection(box, { left: 0, top: 0, right: page.width, bottom: page.height });

const hasArea = (box: Box): boolean => Math.min(...sides(box)) > 0;

/** Remembers the ink of a document's earlier pages, so that a letterhead is read only once. */
export class SeenInk {
  readonly #keys = new Set<string>();

  /** Tells whether an earlier page has the same at the same place, and remembers it. @param step tolerance in points */
  seenBefore(what: string, { left, top, right, bottom }: Box, step: number): boolean {
    const key = `${what} ${[left, top, right, bottom].map((value) => Math.round(value / step)).join(" ")}`;
    if (this.#keys.has(key)) return true;
    if (this.#keys.size < MAX_REMEMBERED_PLACES) this.#keys.add(key);
    return false;
  }
}

/** Tells whether there are enough outlines, standing in rows. It needs no drawing. */
function mayBeLetters(outlines: readonly Box[]): boolean {
  if (outlines.length < MIN_OUTLINES) return false;
  const scale = COUNTING_DPI / POINTS_PER_INCH;
  const pixels = outlines.map(({ left, top, right, bottom }) => ({
    left: left * scale,
    top: top * scale,
    right: right * scale,
    bottom: bottom * scale,
  }));
  return countLetterBoxes(pixels, COUNTING_DPI) >= MIN_OUTLINES;
}

/**
 * The parts of the page to draw for counting letters: pictures and outlines that are large and many enough, without
 * those under invisible text and those that an earlier page has at the same place.
 * @param seen remembers them
 */
export function unreadPlaces(page: PdfPage, places: LetterPlaces, glyphs: readonly Glyph[], seen: SeenInk): Box[] {
  const shown = places.pictures
    .map((picture) => ({ ...picture, box: clip(page, picture.box) }))
    .filter(({ box }) => hasArea(box));
  const isLargeEnough = (boxes: readonly { box: Box }[]): boolean =>
    totalArea(boxes.map(({ box }) => box)) >= MIN_PICTURES_SQUARE_POINTS;
  const pictures = (isLargeEnough(shown) ? unreadPictures(shown, glyphs) : []).filter(
    ({ box, object, width, height }) =>
      !seen.seenBefore(
        imageKey(page, object, storedBytes(page.pdfium, object), `${width}x${height}`),
        box,
        SAME_PICTURE_STEP_POINTS,
      ),
  );
  const drawn = places.outlines.map((box) => clip(page, box)).filter(hasArea);
  const free = drawn.length < MIN_OUTLINES ? [] : freeOutlines(drawn, glyphs);
  const outlines = !mayBeLetters(free)
    ? []
    : free.filter((box) => !seen.seenBefore("outline", box, SAME_OUTLINE_STEP_POINTS));
  return [
    ...(isLargeEnough(pictures) ? pictures.map(({ box }) => box) : []),
    ...(outlines.length < MIN_OUTLINES ? [] : outlines),
  ];
}

/** Splits places that stand far from each other, so that they are drawn without the area between them. */
function partsOf(page: PdfPage, places: readonly Box[]): { area: Box; places: readonly Box[] }[] {
  const whole = { area: unionBox(places), places };
  const groups = connectedShapes(
    places.map((box) => ({ box })),
    page.width,
    page.height,
  );
  if (groups.length > MAX_PARTS) return [whole];
  const parts = groups.map((group) => group.map(({ box }) => box)).map((own) => ({ area: unionBox(own), places: own }));
  return totalArea(parts.map((part) => part.area)) <= MAX_PARTS_AREA_SHARE * totalArea([whole.area]) ? parts : [whole];
}

/**
 * Estimates the number of letters that the page shows beside its characters.
 * @param places at least one, from `unreadPlaces`
 */
export function countUnreadLetters(page: PdfPage, places: readonly Box[], glyphs: readonly Glyph[]): number {
  const inches = totalArea([unionBox(places)]) / POINTS_PER_INCH ** 2;
  const dpi = Math.min(COUNTING_DPI, Math.sqrt(MAX_COUNTING_PIXELS / inches));
  return partsOf(page, places).reduce((letters, { area, places: own }) => {
    const canvas = withDrawnPart(page, area, dpi, ({ width, height, data }) => {
      const shown = new GreyCanvas(area, width, height);
      for (const place of own) shown.copy(place, data);
      return shown;
    });
    for (const glyph of glyphs) canvas.erase(glyph);
    return letters + countLetters(canvas, dpi);
  }, 0);
}
