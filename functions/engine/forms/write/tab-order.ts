/** Puts new widgets on their pages, so that the tabulator follows the reading order. */
import { PDFArray, PDFDict, PDFName, type PDFObject, type PDFRef } from "@cantoo/pdf-lib";
import { type FormPage, isWidget } from "../acroform/form-pages.ts";
import { entry, rectangleOf, resolveReferences } from "../acroform/pdf-values.ts";
import type { EntryBox } from "../field-definition.ts";
import { entryBoxOf } from "./entry-place.ts";
import type { PlacedWidget } from "./field-objects.ts";

/** Share of the lower one's height that two boxes of one row have in common. */
const SAME_ROW_SHARE = 0.5;

/** True where a box is read before another one: in a row above it, or to its left in the same row. */
function isBefore(one: EntryBox, other: EntryBox): boolean {
  const common = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  const lower = Math.min(one.bottom - one.top, other.bottom - other.top);
  return common > SAME_ROW_SHARE * lower ? one.left < other.left : one.top < other.top;
}

/** The box of an annotation that is a widget. */
function boxOfAnnotation(page: FormPage, annotation: PDFObject): EntryBox | undefined {
  const dict = resolveReferences(page.dict.context, annotation);
  const rectangle = dict instanceof PDFDict && isWidget(dict) ? rectangleOf(entry(dict, "Rect")) : undefined;
  return rectangle === undefined ? undefined : entryBoxOf(page, rectangle);
}

/** The page's annotations with new ones among them: each after the last field of the page that is read before it. */
function withNew(page: FormPage, known: readonly PDFObject[], added: readonly PlacedWidget[]): PDFObject[] {
  const boxes = known.map((annotation) => boxOfAnnotation(page, annotation));
  if (boxes.every((box) => box === undefined)) return [...known, ...added.map(({ ref }) => ref)];
  const after = new Map<number, PDFRef[]>();
  for (const { ref, definition } of added) {
    const index = boxes.findLastIndex((box) => box !== undefined && isBefore(box, definition.entryBbox));
    after.set(index, [...(after.get(index) ?? []), ref]);
  }
  return [...(after.get(-1) ?? []), ...known.flatMap((annotation, index) => [annotation, ...(after.get(index) ?? [])])];
}

/** Adds widgets to their pages. Each page has a list of its own from then on: pages may share one. */
export function placeWidgets(widgets: readonly PlacedWidget[]): void {
  const byPage = new Map<FormPage, PlacedWidget[]>();
  for (const widget of widgets) byPage.set(widget.page, [...(byPage.get(widget.page) ?? []), widget]);
  for (const [page, added] of byPage) {
    const { dict } = page;
    const listed = entry(dict, "Annots");
    const known = listed instanceof PDFArray ? listed.asArray() : [];
    dict.set(PDFName.of("Annots"), dict.context.obj(withNew(page, known, added)));
    // In the order of the list (ISO 32000-2, table 31); readers that do not know it take this order anyway.
    dict.set(PDFName.of("Tabs"), PDFName.of("W"));
  }
}
