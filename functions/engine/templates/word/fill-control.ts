/** Content controls with the values of a request. */
import type { Json } from "../../../ports/json.ts";
import { badValue, listNames, textValue } from "../field-values.ts";
import { formatDate } from "../office/date-patterns.ts";
import { checkboxControl, chosenMarkup, datedMarkup, textControl } from "./control-markup.ts";
import { type Control, choicesOf, dateFormatOf, localeOf } from "./controls.ts";

const YES_WORDS: ReadonlySet<string> = new Set(["true", "yes", "on", "1", "x"]);
const NO_WORDS: ReadonlySet<string> = new Set(["false", "no", "off", "0", ""]);

/** A state as a boolean. @throws BadRequest for a value that states none */
export function booleanValue(name: string, value: Json): boolean {
  const text = textValue(name, value).trim().toLowerCase();
  if (YES_WORDS.has(text)) return true;
  if (NO_WORDS.has(text)) return false;
  throw badValue(name, `The field ${name} is a checkbox; it takes true or false`);
}

/** The index of a choice by its value or its text. @throws BadRequest naming the choices */
export function choiceIndex(name: string, text: string, values: readonly string[], labels: readonly string[]): number {
  const byValue = values.indexOf(text);
  const index = byValue < 0 ? labels.indexOf(text) : byValue;
  if (index >= 0) return index;
  throw badValue(
    name,
    `The field ${name} does not have the choice "${text.slice(0, 100)}"; its choices are ${listNames(labels)}`,
  );
}

/** A pattern of Word's as one of Unicode: weekdays have other letters. */
export const unicodePattern = (pattern: string): string =>
  pattern.replaceAll(/d{3,4}/gu, (days) => (days.length === 4 ? "EEEE" : "EEE")).replaceAll(/am\/pm/giu, "a");

/** The text that a control shows for a value, and the text that its data have. */
interface ControlText {
  shown: string;
  stored: string;
}

function dateText(control: Control, value: Json): ControlText & { day: string | undefined } {
  const text = textValue(control.name, value).trim();
  const shown = formatDate(text, unicodePattern(dateFormatOf(control)), localeOf(control));
  if (shown === undefined) return { shown: text, stored: text, day: undefined };
  const day = `${text.slice(0, 10)}T${/^\d{2}:\d{2}/u.test(text.slice(11)) ? `${text.slice(11, 16)}:00` : "00:00:00"}`;
  return { shown, stored: day, day };
}

/**
 * A control with a value.
 * @param bind writes the text of its data; false where there are none
 * @throws BadRequest for a value that the control does not take
 */
export function fillControl(control: Control, value: Json, bind: (stored: string) => boolean): string {
  const { kind, name } = control;
  if (kind === "checkbox") {
    const isOn = booleanValue(name, value);
    return checkboxControl(control, isOn, bind(String(isOn)));
  }
  if (kind === "date") {
    const { shown, stored, day } = dateText(control, value);
    return textControl(control, shown, bind(stored), datedMarkup(control, day));
  }
  const text = textValue(name, value);
  if ((kind === "dropdown" || kind === "combo") && text !== "") {
    const choices = choicesOf(control);
    const values = choices.map((choice) => choice.value);
    const labels = choices.map(({ label }) => label);
    const isFree = kind === "combo" && !values.includes(text) && !labels.includes(text);
    const chosen = isFree ? undefined : choices[choiceIndex(name, text, values, labels)];
    const stored = chosen?.value ?? text;
    return textControl(control, chosen?.label ?? text, bind(stored), chosenMarkup(control, stored));
  }
  return textControl(control, text, bind(text));
}
