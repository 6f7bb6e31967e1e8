/** Tells whether a document is a form, which is read as one: what its places do not answer is not answered. */

import type { FormEntry } from "../../../../ports/layout.ts";
import { isFormPage } from "../../../structure/view/printed-form-page.ts";
import type { Token } from "../../../structure/view/tokens.ts";
import { isRunningProse } from "../../document-type/bill.ts";
import type { DocumentContext } from "../document-context.ts";

/**
 * Fields of a PDF's form from which the document is one, or labelled places whose words were fields before: the file tells them from
 * its print. A contract has fields for names, dates and signatures.
 */
const MIN_FIELDS = 8;
/** Boxes to tick from which a document with the words and sums of a bill is a form: bills have none. */
const MIN_TICKS = 4;
/** Share of the pages with labelled places; a paper or report has such a table on a page of twelve, a form's instructions fill three of four. */
const MIN_FORM_PAGE_SHARE = 0.25;

const wasField = ({ kind, field, words, certainty, label }: FormEntry): boolean =>
  kind === "text" && field === undefined && words.length > 0 && certainty === undefined && label !== "";

/** True for a form with fields, and for a document with a page full of labelled places to write that is no bill. */
export function isFormDocument({ view, isBill }: Pick<DocumentContext, "view" | "isBill">): boolean {
  const { entries, pages: all } = view;
  if (entries.length === 0) return false;
  const fields = new Set(entries.flatMap(({ entry: { field } }) => field?.id ?? []));
  // Words that lie over a paper's page are those of its figures and tables.
  const isPaper = isRunningProse(view);
  const flattened = isPaper ? [] : entries.filter(({ entry }) => wasField(entry));
  const flatPages = new Set(flattened.map(({ page }) => page)).size;
  const isFlat = flatPages >= MIN_FORM_PAGE_SHARE * all.length;
  if (fields.size + (isFlat ? flattened.length : 0) >= MIN_FIELDS) return true;
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
