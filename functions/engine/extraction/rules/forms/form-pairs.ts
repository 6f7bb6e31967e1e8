/** The filled places of a form as pairs of labels and values, for the general result. */
import type { EntryField } from "../../../../ports/layout.ts";
import { splitName, trimValue } from "../../../values/text-folding.ts";
import type { DocumentContext } from "../document-context.ts";
import type { Finding } from "../findings.ts";
import { findingAt } from "./entry-finding.ts";
import { isFormDocument } from "./form-document.ts";
import { type FormItem, formItems } from "./form-items.ts";
import { itemText } from "./read-item.ts";

export interface FormPair {
  key: string;
  finding: Finding;
}

/** Characters of a key: a longer label is a paragraph. */
const MAX_KEY_CHARACTERS = 80;
/** Confidence in the value of a field, which the file states, and in what stands at a printed place. */
const FIELD_CONFIDENCE = 1;
const PRINTED_CONFIDENCE = 0.85;

/** A name made of words; programs name fields by numbers too. */
const tellingName = ({ name }: EntryField): string =>
  splitName(name.split(".").at(-1) ?? "")
    .filter((word) => /\p{L}{3}/u.test(word))
    .join(" ");

function keyOf({ members: [view] }: FormItem): string {
  if (view === undefined) return "";
  const { label, context, field } = view.entry;
  const texts = [field?.tooltip ?? "", label, field === undefined ? "" : tellingName(field), context[0] ?? ""];
  const key =
    texts.find((text) => text !== "" && text.length <= MAX_KEY_CHARACTERS) ?? texts.find((text) => text !== "") ?? "";
  return key
    .replace(/\s*[:：]\s*$/u, "")
    .trim()
    .slice(0, MAX_KEY_CHARACTERS);
}

/** Filled places of a form in its order: texts, and the boxes that are ticked. Null for a document that is none. */
export function formPairs(context: DocumentContext): FormPair[] | null {
  if (!isFormDocument(context)) return null;
  const items = formItems(context.view.entries).sort((a, b) => a.at - b.at);
  return items.flatMap((item): FormPair[] => {
    const key = keyOf(item);
    const isTicked = item.kind === "tick" && item.members[0]?.entry.ticked === true;
    const value = item.kind === "text" ? trimValue(itemText(item, false).replace(/\s+/g, " ")) : isTicked;
    if (key === "" || item.kind === "group" || value === "" || value === false) return [];
    const isField = item.members.every(({ entry }) => entry.field !== undefined);
    return [{ key, finding: findingAt(value, item.members, isField ? FIELD_CONFIDENCE : PRINTED_CONFIDENCE) }];
  });
}
