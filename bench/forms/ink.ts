/** Widgets at whose place the flat page shows neither line, box nor mark: no detector can find them from the drawing. */
import { isChoice } from "../../functions/engine/forms/detect/candidate.ts";
import type { FormPageContent } from "../../functions/engine/forms/detect/form-page.ts";
import { levelEdges, uprightEdges } from "../../functions/engine/forms/detect/page-space.ts";
import { intersects, spanOverlap } from "../../functions/engine/layout/geometry.ts";
import type { Rule } from "../../functions/engine/structure/tables/table-parts.ts";
import type { Box } from "../../functions/ports/layout.ts";
import type { FlatForm, JudgedPage } from "./flat-forms.ts";
import type { TrueField } from "./truth.ts";

/** Everything drawn on a page, without its words. */
export interface PageInk {
  horizontal: readonly Rule[];
  vertical: readonly Rule[];
}

/** Distance of a line from a widget's edge up to which it may be the widget's own, points: half of a line of type. */
const NEAR_POINTS = 5;
/** Share of the widget's side along which such a line runs at least. */
const LEAST_ALONG = 0.25;

export function inkOf(content: FormPageContent): PageInk {
  const boxes = [
    ...content.fills.map(({ box }) => box),
    ...content.blanks,
    ...content.frames,
    ...content.rounds,
    ...content.squares,
    ...content.marks.map(({ box }) => box),
  ];
  return {
    horizontal: [
      ...content.horizontal,
      ...content.underscores,
      ...content.leaders,
      ...boxes.flatMap((box) => levelEdges(box)),
    ],
    vertical: [...content.vertical, ...boxes.flatMap((box) => uprightEdges(box))],
  };
}

/** Parts of lines near a widget are added up: dashes, combs, dots. */
function isAlong(rules: readonly Rule[], across: [number, number], along: [number, number]): boolean {
  const near = rules.filter(({ at }) => at >= across[0] - NEAR_POINTS && at <= across[1] + NEAR_POINTS);
  const sum = near.reduce((total, { from, to }) => total + Math.max(spanOverlap(from, to, along[0], along[1]), 0), 0);
  return sum >= LEAST_ALONG * (along[1] - along[0]);
}

/** Empty brackets, and answers without a box, are print that shows a place. */
const hasPrint = ({ candidates }: JudgedPage, box: Box): boolean =>
  candidates.some(({ candidate }) => isChoice(candidate) && intersects(candidate.box, box));

export function hasInk(page: JudgedPage, { left, top, right, bottom }: Box): boolean {
  const { horizontal, vertical } = page.ink;
  return (
    isAlong(horizontal, [top, bottom], [left, right]) ||
    isAlong(vertical, [left, right], [top, bottom]) ||
    hasPrint(page, { left, top, right, bottom })
  );
}

/** The widgets of a form without any ink. */
export const fieldsWithoutInk = ({ pages, truth }: Pick<FlatForm, "pages" | "truth">): TrueField[] =>
  truth.fields.filter(({ pageNumber, box }) => {
    const page = pages.find(({ number }) => number === pageNumber);
    return page !== undefined && !hasInk(page, box);
  });
