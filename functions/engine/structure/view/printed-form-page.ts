/** Tells pages of printed forms from other pages with lines and cells. */
import type { FormEntry } from "../../../ports/layout.ts";

/** Places that are only printed from which a page is one of a form, and those of them that are empty or to be ticked. */
const MIN_PRINTED = 12;
const MIN_OPEN = 6;
/** Share of the printed places that have a label. */
const MIN_LABELLED_SHARE = 0.6;

const isOpen = ({ kind, words }: FormEntry): boolean => kind === "tick" || words.length === 0;

/** True for a page full of labelled places. @param printed places without a field */
export function isFormPage(printed: readonly FormEntry[]): boolean {
  const labelled = printed.filter(({ label }) => /\p{L}{2}/u.test(label)).length;
  return (
    printed.length >= MIN_PRINTED &&
    printed.filter(isOpen).length >= MIN_OPEN &&
    labelled >= MIN_LABELLED_SHARE * printed.length
  );
}
