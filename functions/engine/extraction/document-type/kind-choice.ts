/** The value of a field that chooses among document types: by title, wording, items and their sum. */

import type { Field } from "../../schema/schema-shape.ts";
import { splitName } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyFolded, anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "../rules/document-context.ts";
import type { Finding } from "../rules/findings.ts";
import { findItemHeaders, findItemLabels } from "../rules/items/item-rows.ts";
import { kindOfDocument } from "./kind-of-document.ts";
import { kindOfName } from "./titled-kind.ts";

/** Names of fields that ask for the document's type, folded. */
const TYPE_FIELD_NAME = new RegExp(
  `\\b(?:${anyFolded(
    wordsOf(({ properties }) => properties.kinds),
    { rest: "\\w*" },
  )})\\b`,
);
/**
 * Replacement types when the choices do not name a type: a document that amends an invoice, and a till receipt. Source:
 * Directive 2006/112/EC, Articles 219 and 226b (simplified invoices).
 */
const COUNTS_AS: Readonly<Record<string, string>> = { "credit note": "invoice", receipt: "invoice" };
/** A choice for all other types. */
const OTHER_CHOICE = new RegExp(
  `^(?:${anyOf(
    wordsOf(({ properties }) => properties.others),
    { rest: "\\w*" },
  )})$`,
  "i",
);
/** Confidence of a type without a title. */
const UNTITLED_CONFIDENCE = 0.6;

/** Choices by the types that they name. */
function choicesByKind(choices: readonly string[]): Map<string, string> {
  const named = choices.flatMap((choice): [string, string][] => {
    const kind = kindOfName(splitName(choice));
    return kind === undefined ? [] : [[kind, choice]];
  });
  return new Map(named);
}

/** Items under headings with a total below them: a till receipt, which has no title. */
function isTillReceipt({ view, totals }: DocumentContext): boolean {
  const sum = totals()["gross-total"]?.tokens[0];
  if (sum === undefined) return false;
  const headers = findItemHeaders(view, findItemLabels(view, new Map()));
  return headers.some(({ row }) => row.page === 1 && (sum.page > 1 || sum.box.top > row.box.bottom));
}

function kindOf(context: DocumentContext): { kind: string; title: Finding | null } | null {
  const found = kindOfDocument(context.view);
  if (found.kind !== "other") return found;
  return isTillReceipt(context) ? { kind: "receipt", title: null } : null;
}

const asksForKind = (field: Field): boolean =>
  !field.inItems && TYPE_FIELD_NAME.test([field.name, field.title].flatMap(splitName).join(" "));

/** The title that shows the document's type, if a field asks for the type and `value` names the title's. */
export function titleNaming(value: string, field: Field, context: DocumentContext): Finding | null {
  if (!asksForKind(field)) return null;
  const { kind, title } = kindOfDocument(context.view);
  const named = kindOfName(splitName(value));
  return named === kind || named === COUNTS_AS[kind] ? title : null;
}

/**
 * The document's type among a field's choices. `none` when undecided: a document that mentions a type is not of that type.
 * @returns undefined for a field that does not ask for the type
 */
export function chooseDocumentKind(field: Field, context: DocumentContext): Finding | "none" | undefined {
  if (field.choices === null || !asksForKind(field)) return undefined;
  const choices = field.choices.filter((choice) => typeof choice === "string");
  const named = choicesByKind(choices);
  if (named.size === 0) return undefined;
  const found = kindOf(context);
  if (found === null) return "none";
  const { kind, title } = found;
  const value =
    named.get(kind) ?? named.get(COUNTS_AS[kind] ?? "") ?? choices.find((choice) => OTHER_CHOICE.test(choice));
  if (value === undefined) return "none";
  return title === null ? { value, tokens: [], confidence: UNTITLED_CONFIDENCE, derived: true } : { ...title, value };
}
