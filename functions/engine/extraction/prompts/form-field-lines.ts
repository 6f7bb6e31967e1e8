/** The filled fields of a page's form as lines for a model: the page's text does not tell which value is whose. */
import type { EntryField, FormEntry, Page } from "../../../ports/layout.ts";

/** Characters of a label or value in a line. */
const MAX_TEXT_CHARACTERS = 300;

const short = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, MAX_TEXT_CHARACTERS);

const shownValue = ({ value, options = [] }: EntryField): string => {
  const shown = (one: string): string => options.find((option) => option.value === one)?.label ?? one;
  return Array.isArray(value) ? value.map(shown).join(", ") : shown(value ?? "");
};

function lineOf({ kind, label, ticked, field }: FormEntry): string[] {
  if (field === undefined) return [];
  const value = kind === "tick" ? (ticked === true ? "ticked" : "") : short(shownValue(field));
  if (value === "") return [];
  const names = [...new Set([short(label), short(field.tooltip ?? ""), short(field.name)])].filter(
    (name) => name !== "",
  );
  return [`- ${names.join(" | ")}: ${value}`];
}

/** A list of the filled fields of a page, by label, tooltip and name; empty for a page without fields. */
export function formFieldLines({ entries = [] }: Page): string {
  if (!entries.some(({ field }) => field !== undefined)) return "";
  const lines = entries.flatMap(lineOf);
  return ["Filled form fields (label | tooltip | name: value); all others are empty:", ...lines].join("\n");
}
