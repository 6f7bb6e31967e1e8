/** The places of a form on a page of a PDF that has no fields. */
import type { Box, FormEntry, Page } from "../../../ports/layout.ts";
import { grayOf } from "../../imaging/figure-regions/measure-ink.ts";
import type { GrayImage } from "../../imaging/gray-image.ts";
import { opaqueCopy, withDrawnWindow } from "../../readers/pdf/draw-page.ts";
import { pageDrawing } from "../../readers/pdf/page-drawing.ts";
import { pageGlyphs } from "../../readers/pdf/page-glyphs.ts";
import type { PdfPage } from "../../readers/pdf/pdf-page.ts";
import { POINTS_PER_INCH } from "../../readers/pdf/points-to-inches.ts";
import type { FormPageContent } from "../detect/form-page.ts";
import { formPageContent } from "../detect/pdf-page-content.ts";
import { printedEntries, type TickReader } from "./printed-entries.ts";

/** Rules, boxes and underscores from which a page may have places to write. */
const MIN_DRAWN = 6;
/** Places that are open on the first pages of a form: a table of one that has none is not one to write in. */
const MIN_OPEN = 2;
/** Pixels per inch of a page that is drawn to see its ticks: a box has 14 pixels on a side. */
const TICK_DPI = 144;
/** Largest page that is drawn, in pixels. */
const MAX_PIXELS = 12_000_000;
/** Part of a box's side that is its frame. */
const FRAME_SHARE = 0.24;
/** Gray below which there is ink. */
const INK_GRAY = 150;

const mayBeForm = ({
  horizontal,
  vertical,
  blanks,
  frames,
  rounds,
  marks,
  underscores,
  leaders,
}: FormPageContent): boolean =>
  horizontal.length +
    vertical.length +
    blanks.length +
    frames.length +
    rounds.length +
    marks.length +
    underscores.length +
    leaders.length >=
  MIN_DRAWN;

function inkShare({ width, pixels }: GrayImage, box: Box): number {
  let [ink, all] = [0, 0];
  for (let y = Math.round(box.top); y < box.bottom; y += 1)
    for (let x = Math.round(box.left); x < box.right; x += 1) {
      all += 1;
      if ((pixels[y * width + x] ?? 255) < INK_GRAY) ink += 1;
    }
  return all === 0 ? 0 : ink / all;
}

/** Reads ticks in the pixels of a page, which is drawn when the first one is asked for. */
function drawnTicks(shown: PdfPage): TickReader {
  let image: GrayImage | undefined;
  const scale = TICK_DPI / POINTS_PER_INCH;
  const [width, height] = [Math.round(shown.width * scale), Math.round(shown.height * scale)];
  return ({ left, top, right, bottom }) => {
    if (width * height > MAX_PIXELS) return 0;
    image ??= withDrawnWindow(
      shown,
      { left: 0, top: 0, width, height, pageWidth: width, pageHeight: height },
      (drawn) => grayOf({ width, height, rgba: opaqueCopy(drawn) }),
    );
    const frame = FRAME_SHARE * Math.min(right - left, bottom - top);
    const inside = { left: left + frame, top: top + frame, right: right - frame, bottom: bottom - frame };
    const scaled = {
      left: inside.left * scale,
      top: inside.top * scale,
      right: inside.right * scale,
      bottom: inside.bottom * scale,
    };
    return inkShare(image, scaled);
  };
}

/** Characters that are drawn where others draw lines and boxes. */
const DRAWN_CHARACTERS = /[_\u2610\u25a1\u25cb\uf06f\uf0a8]/u;

/** A first look without words: reading them is most of the work. */
function hasLines(shown: PdfPage): boolean {
  const { horizontal, vertical, blanks, frames, rounds } = pageDrawing(shown);
  return (
    horizontal.length + vertical.length + blanks.length + frames.length + rounds.length >= MIN_DRAWN ||
    pageGlyphs(shown).some(({ text }) => DRAWN_CHARACTERS.test(text))
  );
}

/**
 * The places that are printed on a page, with what is written in them; undefined for a page without lines and boxes.
 * @param isForm the document is known to be a form: its other pages may have few places, all filled
 */
export function drawnEntries(shown: PdfPage, page: Page, isForm: boolean): FormEntry[] | undefined {
  if (!hasLines(shown)) return undefined;
  const content = formPageContent(shown, page.number);
  if (!mayBeForm(content)) return undefined;
  return printedEntries(content, page, drawnTicks(shown), isForm ? 0 : MIN_OPEN);
}
