/** The place of a definition's field on its page. */

import type { Rectangle } from "../acroform/acroform.ts";
import { type FormPage, toShownBox, toUserSpace } from "../acroform/form-pages.ts";
import { entry, rectangleOf } from "../acroform/pdf-values.ts";
import type { EntryBox } from "../field-definition.ts";

/** Share of a place's own area, or of a field's, from which both are taken for the same place. */
const SAME_PLACE_SHARE = 0.5;
/** Decimals of a box in shares of the page: a thousandth of a point on a page of 100 inches. */
const SHARE_DECIMALS = 1e7;

const round = (share: number): number => Math.round(share * SHARE_DECIMALS) / SHARE_DECIMALS;

/** The place of a box in PDF user space. */
export function rectangleOn(page: FormPage, { left, top, right, bottom }: EntryBox): Rectangle {
  const { width, height } = page;
  return toUserSpace(page, { left: left * width, top: top * height, right: right * width, bottom: bottom * height });
}

/** The box of a rectangle in PDF user space, cut at the page's edges. */
export function entryBoxOf(page: FormPage, rectangle: Rectangle): EntryBox {
  const { left, top, right, bottom } = toShownBox(page, rectangle);
  const share = (points: number, whole: number): number => round(Math.max(0, Math.min(1, points / whole)));
  return {
    left: share(left, page.width),
    top: share(top, page.height),
    right: share(right, page.width),
    bottom: share(bottom, page.height),
  };
}

/** Boxes of the fields that a page has already. */
export const boxesOfWidgets = (page: FormPage): EntryBox[] =>
  page.widgets.flatMap((widget) => {
    const rectangle = rectangleOf(entry(widget, "Rect"));
    return rectangle === undefined ? [] : [entryBoxOf(page, rectangle)];
  });

const areaOf = ({ left, top, right, bottom }: EntryBox): number =>
  Math.max(0, right - left) * Math.max(0, bottom - top);

/** True for two boxes of which one mostly lies within the other. */
export function isSamePlace(one: EntryBox, other: EntryBox): boolean {
  const common = areaOf({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });
  return common > 0 && common >= SAME_PLACE_SHARE * Math.min(areaOf(one), areaOf(other));
}
