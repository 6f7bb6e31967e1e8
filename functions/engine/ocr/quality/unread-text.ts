/** Text of a recognised page that was not read, by its ink (imaging/figure-regions/unread-ink.ts). */
import type { OcrTextInk } from "../../../ports/ocr.ts";

/**
 * Share of a page's ink that looks like text, by cells, and is in no word. On the scans and photos of the corpus and on
 * drawn pages it is at most 0.12, on a form with many small boxes; where the words of half a page are taken away, it is
 * at least 0.33 (`npm run bench -- unread-ink`).
 */
export const USUAL_UNREAD_SHARE = 0.2;
/** Cells that count: five words or so of common type, on 0.06 inches; fewer are the name in a logo. */
const MIN_UNREAD_CELLS = 80;
/** Pages that a warning names; of more, their number is given. */
const MAX_NAMED_PAGES = 10;

/** Share of what looks like text that was not read, 0 to 1; 0 where it is as usual. */
export function unreadTextShare(ink: OcrTextInk | undefined): number {
  if (ink === undefined || ink.unread < MIN_UNREAD_CELLS) return 0;
  const share = ink.unread / (ink.read + ink.unread);
  return share > USUAL_UNREAD_SHARE ? share : 0;
}

/** The share of a page's text that was read, 0 to 1, with what is usual counted as read. */
export function readTextFactor(ink: OcrTextInk | undefined): number {
  return Math.min((1 - unreadTextShare(ink)) / (1 - USUAL_UNREAD_SHARE), 1);
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The phrase that names the fault. */
export const unreadTextReason = (ink: OcrTextInk | undefined): string =>
  `${percent(unreadTextShare(ink))} of what looks like text on it was not recognised`;

/** One sentence on the pages of which text was not read; none where there are none. */
export function unreadTextWarnings(inks: ReadonlyMap<number, OcrTextInk>): string[] {
  const pages = [...inks].filter(([, ink]) => unreadTextShare(ink) > 0).sort(([a], [b]) => a - b);
  if (pages.length === 0) return [];
  const named = pages.slice(0, MAX_NAMED_PAGES).map(([page, ink]) => `page ${page} (${percent(unreadTextShare(ink))})`);
  const more = pages.length - named.length;
  return [`Ink that looks like text was not recognised on ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
}
