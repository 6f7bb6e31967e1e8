/** Letters that a page shows in pictures or as drawn outlines, where its text layer has no characters. */

import type { Box } from "../../../ports/layout.ts";
import { countLetterBoxes, countLetters } from "../../imaging/text-likeness.ts";
import { containsMiddle, intersection } from "../../layout/geometry.ts";
import { connectedShapes } from "../figures/figure-drawings.ts";
import { withPart } from "./draw-page.ts";
import { imageKey, rawSize } from "./figure-objects.ts";
import type { Glyph } from "./glyph.ts";
import type { PdfPage } from "./pdf-document.ts";
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

/** Where a page may show letters. */
export interface InkPlaces {
  pictures: DrawnPicture[];
  /** Of filled paths; points, as shown. */
  outlines: Box[];
}

/** Of the picture in which letters are counted: fine where little is drawn, and a letter-size page has 100. */
const DPI = 150;
const MOST_PIXELS = 950_000;
/** Square points that pictures cover: less is an icon, or a logo without room for a line of text. */
const LEAST_PICTURES = 1_000;
/** Outlines: fewer are a word mark, ticks, round corners; a line of text has as many. */
const LEAST_OUTLINES = 30;
/** Points by which what is drawn again on another page may stand elsewhere; pictures are told apart by their bytes. */
const SAME_PICTURE = 2;
const SAME_OUTLINE = 0.1;
const MOST_REMEMBERED = 50_000;
/** The engine goes through the whole page for each part of it; and parts are drawn where they are so much of the whole. */
const MOST_PARTS = 4;
const APART = 0.5;
/** So many invisible characters over a picture are what a scanner's software has read in it. */
const READ_BEFORE = 20;

const sides = ({ left, top, right, bottom }: Box): [number, number] => [right - left, bottom - top];

const sum = (boxes: readonly Box[]): number =>
  boxes.reduce((total, box) => total + Math.max(sides(box)[0], 0) * Math.max(sides(box)[1], 0), 0);

/** Points: about a line of text. */
const BAND = 12;

/** Outlines that no character stands on: others are shades behind text, or its underlines. */
function freeOutlines(outlines: readonly Box[], glyphs: readonly Glyph[]): Box[] {
  const bands = new Map<number, Glyph[]>();
  for (const glyph of glyphs) {
    for (let band = Math.floor(glyph.top / BAND); band <= glyph.bottom / BAND; band += 1) {
      const own = bands.get(band);
      if (own === undefined) bands.set(band, [glyph]);
      else own.push(glyph);
    }
  }
  const touches = (a: Box, b: Box): boolean =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return outlines.filter((outline) => {
    for (let band = Math.floor(outline.top / BAND); band <= outline.bottom / BAND; band += 1) {
      if (bands.get(band)?.some((box) => touches(box, outline)) === true) return false;
    }
    return true;
  });
}

/** Pictures without a text of their own laid over them. */
function unreadPictures(pictures: readonly DrawnPicture[], glyphs: readonly Glyph[]): DrawnPicture[] {
  const hidden = glyphs.filter(({ style }) => style.hidden);
  if (hidden.length < READ_BEFORE) return [...pictures];
  return pictures.filter(
    (picture) => hidden.filter((glyph) => containsMiddle(picture.box, glyph)).length < READ_BEFORE,
  );
}

/** A gray picture, white at first, into which parts of a page are copied. */
class Canvas {
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

  /** Calls back with the first pixel and the one behind the last of every row of a box and the pixels around it. */
  #eachRow({ left, top, right, bottom }: Box, visit: (from: number, to: number) => void): void {
    const from = Math.max(Math.floor((left - this.#left) * this.#scale) - 1, 0);
    const to = Math.min(Math.ceil((right - this.#left) * this.#scale) + 1, this.width);
    const last = Math.min(Math.ceil((bottom - this.#top) * this.#scale) + 1, this.height);
    for (let y = Math.max(Math.floor((top - this.#top) * this.#scale) - 1, 0); y < last && to > from; y += 1)
      visit(y * this.width + from, y * this.width + to);
  }

  /** @param rgba of the whole canvas */
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

const isSolid = (box: Box): boolean => Math.min(...sides(box)) > 0;

/** Remembers what was looked at on earlier pages of a document: a letterhead is read where it stands first. */
export class SeenInk {
  readonly #keys = new Set<string>();

  /** Whether an earlier page has the same at the same place. @param step points: nearer is the same place */
  has(what: string, { left, top, right, bottom }: Box, step: number): boolean {
    const key = `${what} ${[left, top, right, bottom].map((value) => Math.round(value / step)).join(" ")}`;
    if (this.#keys.has(key)) return true;
    if (this.#keys.size < MOST_REMEMBERED) this.#keys.add(key);
    return false;
  }
}

const around = (boxes: readonly Box[]): Box => ({
  left: boxes.reduce((least, { left }) => Math.min(least, left), Infinity),
  top: boxes.reduce((least, { top }) => Math.min(least, top), Infinity),
  right: boxes.reduce((most, { right }) => Math.max(most, right), 0),
  bottom: boxes.reduce((most, { bottom }) => Math.max(most, bottom), 0),
});

/** Whether outlines are enough, and stand in rows: told before anything is drawn. */
function mayBeLetters(outlines: readonly Box[]): boolean {
  if (outlines.length < LEAST_OUTLINES) return false;
  const scale = DPI / POINTS_PER_INCH;
  const pixels = outlines.map(({ left, top, right, bottom }) => ({
    left: left * scale,
    top: top * scale,
    right: right * scale,
    bottom: bottom * scale,
  }));
  return countLetterBoxes(pixels, DPI) >= LEAST_OUTLINES;
}

/**
 * The parts of the page that are worth drawing to count letters: only pictures and outlines that are large and many
 * enough, without those that invisible text lies over and those that an earlier page has at the same place.
 * @param seen remembers them
 */
export function placesWorth(page: PdfPage, places: InkPlaces, glyphs: readonly Glyph[], seen: SeenInk): Box[] {
  const shown = places.pictures
    .map((picture) => ({ ...picture, box: clip(page, picture.box) }))
    .filter(({ box }) => isSolid(box));
  const worth = (boxes: readonly { box: Box }[]): boolean => sum(boxes.map(({ box }) => box)) >= LEAST_PICTURES;
  const pictures = (worth(shown) ? unreadPictures(shown, glyphs) : []).filter(
    ({ box, object, width, height }) =>
      !seen.has(imageKey(page, object, rawSize(page.pdfium, object), `${width}x${height}`), box, SAME_PICTURE),
  );
  const drawn = places.outlines.map((box) => clip(page, box)).filter(isSolid);
  const free = drawn.length < LEAST_OUTLINES ? [] : freeOutlines(drawn, glyphs);
  const outlines = !mayBeLetters(free) ? [] : free.filter((box) => !seen.has("outline", box, SAME_OUTLINE));
  return [
    ...(worth(pictures) ? pictures.map(({ box }) => box) : []),
    ...(outlines.length < LEAST_OUTLINES ? [] : outlines),
  ];
}

/** Places that stand far from each other are drawn by themselves, without all that lies between them. */
function partsOf(page: PdfPage, places: readonly Box[]): { area: Box; places: readonly Box[] }[] {
  const whole = { area: around(places), places };
  const groups = connectedShapes(
    places.map((box) => ({ box })),
    page.width,
    page.height,
  );
  if (groups.length > MOST_PARTS) return [whole];
  const parts = groups.map((group) => group.map(({ box }) => box)).map((own) => ({ area: around(own), places: own }));
  return sum(parts.map(({ area }) => area)) <= APART * sum([whole.area]) ? parts : [whole];
}

/**
 * About how many letters the page shows that are none of its characters.
 * @param places one and more, from placesWorth
 */
export function countUnread(page: PdfPage, places: readonly Box[], glyphs: readonly Glyph[]): number {
  const inches = sum([around(places)]) / POINTS_PER_INCH ** 2;
  const dpi = Math.min(DPI, Math.sqrt(MOST_PIXELS / inches));
  return partsOf(page, places).reduce((letters, { area, places: own }) => {
    const canvas = withPart(page, area, dpi, ({ width, height, data }) => {
      const shown = new Canvas(area, width, height);
      for (const place of own) shown.copy(place, data);
      return shown;
    });
    for (const glyph of glyphs) canvas.erase(glyph);
    return letters + countLetters(canvas, dpi);
  }, 0);
}
