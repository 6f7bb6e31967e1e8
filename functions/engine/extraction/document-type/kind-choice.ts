/** A choice among kinds of documents, by what the document is: its title, its wording, its items and their sum. */

import type { Field } from "../../schema/schema-shape.ts";
import { splitName } from "../../values/text-folding.ts";
import type { DocumentContext } from "../rules/document-context.ts";
import type { Finding } from "../rules/findings.ts";
import { findItemHeaders, findItemLabels } from "../rules/items/item-rows.ts";
import { kindOfDocument } from "./kind-of-document.ts";
import { kindOfName } from "./titled-kind.ts";

/** What a property is called that asks for the kind of a document, folded. */
const ASKS_KIND =
  /\b(?:doc\w*|dokument\w*|beleg\w*|type|typ|art|kind|class|classification|category|kategorie|klasse|genre|categorie|tipo|categoria|clase|soort)\b/;
/**
 * What counts as another kind where the choices do not name it: a document that amends an invoice, and the bill of a
 * till. Source: Directive 2006/112/EC, Articles 219 and 226b (simplified invoices).
 */
const COUNTS_AS: Readonly<Record<string, string>> = { "credit note": "invoice", receipt: "invoice" };
/** A choice for every other kind. */
const OTHER = /^(?:others?|misc\w*|sonstiges?|andere|autres?|otros?|altro|altri|overig|anders)$/i;
/** Of a kind that no title tells. */
const UNTITLED = 0.6;

/** Choices by the kinds that they name. */
function choicesByKind(choices: readonly string[]): Map<string, string> {
  const named = choices.flatMap((choice): [string, string][] => {
    const kind = kindOfName(splitName(choice));
    return kind === undefined ? [] : [[kind, choice]];
  });
  return new Map(named);
}

/** Items under headings with a sum of money below them: the bill of a till, which has no title. */
function isTill({ view, totals }: DocumentContext): boolean {
  const sum = totals()["gross-total"]?.tokens[0];
  if (sum === undefined) return false;
  const headers = findItemHeaders(view, findItemLabels(view, new Map()));
  return headers.some(({ row }) => row.page === 1 && (sum.page > 1 || sum.box.top > row.box.bottom));
}

function kindOf(context: DocumentContext): { kind: string; title: Finding | null } | null {
  const found = kindOfDocument(context.view);
  if (found.kind !== "other") return found;
  return isTill(context) ? { kind: "receipt", title: null } : null;
}

/**
 * The kind of document, where the choices are such kinds; `none` where nothing tells: that a document mentions one of
 * them does not make it one.
 * @returns undefined where the field asks for something else
 */
export function chooseDocumentKind(field: Field, context: DocumentContext): Finding | "none" | undefined {
  const name = [field.name, field.title].flatMap(splitName).join(" ");
  if (field.choices === null || field.inItems || !ASKS_KIND.test(name)) return undefined;
  const choices = field.choices.filter((choice) => typeof choice === "string");
  const named = choicesByKind(choices);
  if (named.size === 0) return undefined;
  const found = kindOf(context);
  if (found === null) return "none";
  const { kind, title } = found;
  const value = named.get(kind) ?? named.get(COUNTS_AS[kind] ?? "") ?? choices.find((choice) => OTHER.test(choice));
  if (value === undefined) return "none";
  return title === null ? { value, tokens: [], confidence: UNTITLED, derived: true } : { ...title, value };
}
