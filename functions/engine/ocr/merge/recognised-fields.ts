/** Converts form fields of an engine to fields of a page, by the boxes of their words. */
import type { Box, FormField, Page, Word } from "../../../ports/layout.ts";
import type { OcrField } from "../../../ports/ocr.ts";
import { wordsAtPlaces } from "../../layout/word-places.ts";

/** Converts an engine's fields. @param words the engine's own, in its order */
export function toFields(fields: readonly OcrField[], words: readonly Word[]): FormField[] {
  const boxes = (positions: readonly number[]): Box[] => positions.flatMap((position) => words[position]?.box ?? []);
  return fields.flatMap(({ label, values, confidence }): FormField[] => {
    if (label.words.length === 0) return [];
    const filled = values.map((value) => boxes(value.words)).filter((own) => own.length > 0);
    return [{ label: boxes(label.words), values: filled, confidence }];
  });
}

/**
 * The fields of another reading with the words that a page has at their places; a field whose label is missing there is
 * left out.
 */
export function fieldsByPlace(fields: readonly FormField[], page: Page): FormField[] {
  if (fields.length === 0) return [];
  const wordsAt = wordsAtPlaces(page);
  const found = (boxes: readonly Box[]): Box[] => [
    ...new Set(boxes.flatMap((box) => wordsAt(box).map((word) => word.box))),
  ];
  return fields.flatMap(({ label, values, confidence }): FormField[] => {
    const own = found(label);
    return own.length === 0
      ? []
      : [{ label: own, values: values.map(found).filter((value) => value.length > 0), confidence }];
  });
}

/** The page with these fields instead of its own. */
export function withFields({ fields: _, ...page }: Page, fields: readonly FormField[]): Page {
  return fields.length === 0 ? page : { ...page, fields: [...fields] };
}
