/** Tells whether a document is a form, which is read as one: what its places do not answer is not answered. */

import type { FormEntry } from "../../../../ports/layout.ts";
import { unionBox } from "../../../layout/geometry.ts";
import { isFormPage } from "../../../structure/view/printed-form-page.ts";
import type { Token } from "../../../structure/view/tokens.ts";
import { isRunningProse } from "../../document-type/bill.ts";
import type { DocumentContext } from "../document-context.ts";

/**
 * Fields of a PDF's form from which the document is one, or labelled places whose words were fields before: the file tells them from
 * its print. A contract has fields for names, dates and signatures.
 */
const MIN_FIELDS = 8;
/** Such places on a page from which a short document is a form: one for a notification asks for a name, a number and an address. */
const MIN_FIELDS_A_PAGE = 4;
/** Room of a place that its words leave, in inches; where print has no place, a place is as large as its words. */
const MIN_ROOM_INCHES = 0.1;
/** Boxes to tick from which a document with the words and sums of a bill is a form: bills have none. */
const MIN_TICKS = 4;
/** Share of the pages with labelled places; a paper or report has such a table on a page of twelve, a form's instructions fill three of four. */
const MIN_FORM_PAGE_SHARE = 0.25;

/** Certainty from which words on a recognised page were rather written than printed: a blank form's seldom reach it. */
const MIN_WRITTEN_CERTAINTY = 0.6;

/** True for a labelled place with words that were a field before, or that were written by their look. */
const isFilled = ({ kind, field, words, certainty = 1, label }: FormEntry): boolean =>
  kind === "text" && field === undefined && words.length > 0 && certainty >= MIN_WRITTEN_CERTAINTY && label !== "";

const hasRoom = ({ box, words }: FormEntry): boolean => {
  const around = unionBox(words);
  return around.left - box.left + box.right - around.right >= MIN_ROOM_INCHES;
};

/** True for a form with fields, and for a document with a page full of labelled places to write that is no bill. */
export function isFormDocument({ view, isBill }: Pick<DocumentContext, "view" | "isBill">): boolean {
  const { entries, pages: all } = view;
  if (entries.length === 0) return false;
  const fields = new Set(entries.flatMap(({ entry: { field } }) => field?.id ?? []));
  const isPaper = isRunningProse(view);
  // Words that lie over a paper's page are those of its figures and tables, which are no places to write.
  const flattened = entries.filter(({ entry }) => isFilled(entry) && (!isPaper || hasRoom(entry)));
  const known = [...flattened, ...entries.filter(({ entry: { field } }) => field !== undefined)];
  const flatPages = new Set(known.map(({ page }) => page)).size;
  const isFlat = flatPages >= MIN_FORM_PAGE_SHARE * all.length;
  const leastFlat = Math.min(MIN_FIELDS, MIN_FIELDS_A_PAGE * all.length);
  if (fields.size >= MIN_FIELDS) return true;
  const isTold = flattened.length > 0 && flattened.every(({ entry }) => entry.certainty === undefined);
  if (isFlat && fields.size + flattened.length >= leastFlat && (isTold || !isBill())) return true;
  const printed = entries.filter(({ entry }) => entry.field === undefined);
  const pages = Map.groupBy(printed, ({ page }) => page);
  const formPages = [...pages.values()].filter((own) => isFormPage(own.map(({ entry }) => entry))).length;
  if (formPages === 0) return false;
  if (printed.filter(({ entry }) => entry.kind === "tick").length >= MIN_TICKS) return true;
  const filled = printed.filter(({ entry }) => entry.words.length > 0).length;
  if (isPaper && filled > printed.length / 2) return false;
  return formPages >= MIN_FORM_PAGE_SHARE * all.length && !isBill();
}

/** The words that were written into a form. */
export const writtenTokens = ({ view: { entries } }: Pick<DocumentContext, "view">): ReadonlySet<Token> =>
  new Set(entries.flatMap(({ tokens }) => tokens));
