/** JavaScript of a field's actions, to be shown; it is never run. */
import { type PDFDict, PDFName } from "@cantoo/pdf-lib";
import type { TreeField } from "../../forms/acroform/field-tree.ts";
import { dictOf, entry, textOf } from "../../forms/acroform/pdf-values.ts";

/** Additional actions of fields and widgets (PDF 32000-1, tables 194, 196). */
const TRIGGERS = ["K", "F", "V", "C", "E", "X", "D", "U", "Fo", "Bl"] as const;
/** A longer script is cut: it is shown, and nothing else. */
const MAX_SCRIPT_CHARACTERS = 10_000;

function scriptOf(action: PDFDict | undefined): string | undefined {
  if (action === undefined || entry(action, "S") !== PDFName.of("JavaScript")) return undefined;
  return textOf(entry(action, "JS"));
}

/** The scripts of a field and its widgets, each once, a line apart; null without any. */
export function fieldScript({ dict, widgets }: TreeField): string | null {
  const scripts = new Set<string>();
  for (const holder of new Set([dict, ...widgets])) {
    const actions = dictOf(holder, "AA");
    for (const trigger of TRIGGERS) {
      const script = scriptOf(dictOf(actions, trigger));
      if (script !== undefined && script.trim() !== "") scripts.add(script.trim());
    }
    const script = scriptOf(dictOf(holder, "A"));
    if (script !== undefined && script.trim() !== "") scripts.add(script.trim());
  }
  const text = [...scripts].join("\n");
  return text === "" ? null : text.slice(0, MAX_SCRIPT_CHARACTERS);
}
