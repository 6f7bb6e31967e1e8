/** Fills checkboxes and radio buttons. */
import { PDFDict, PDFName, type PDFObject, PDFStream, StandardFonts } from "@cantoo/pdf-lib";
import type { Json } from "../../../ports/json.ts";
import { dictOf, entry, nameOf, resolveReferences, textOf } from "../../forms/acroform/pdf-values.ts";
import { badValue, listNames, textValue } from "../field-values.ts";
import { type AppearanceContent, makeAppearance, setAppearance } from "./appearance.ts";
import { type FillContext, type FormField, ownersOf } from "./form-fields.ts";
import { inherited, readDefaultAppearance, readLook, type WidgetLook } from "./widget-look.ts";

const OFF = "Off";
/** State of a box whose file names none. */
const DEFAULT_STATE = "Yes";
/** Marks of ZapfDingbats for checkboxes and radio buttons, where /MK does not name one. */
const CHECK_MARK = "4";
const RADIO_MARK = "l";
/** Heights and widths of the marks, in ems of ZapfDingbats (Adobe's font metrics). */
const MARKS: Record<string, { width: number; top: number; bottom: number }> = {
  "4": { width: 0.755, top: 0.705, bottom: -0.012 },
  "5": { width: 0.774, top: 0.653, bottom: 0.04 },
  "8": { width: 0.76, top: 0.704, bottom: -0.013 },
  H: { width: 0.816, top: 0.705, bottom: -0.013 },
  l: { width: 0.791, top: 0.705, bottom: -0.014 },
  n: { width: 0.761, top: 0.706, bottom: -0.014 },
  u: { width: 0.788, top: 0.705, bottom: -0.014 },
};
/** Share of the frame's inside that a mark fills. */
const MARK_SHARE = 0.8;

const YES_WORDS: ReadonlySet<string> = new Set(["true", "yes", "on", "1", "x"]);
const NO_WORDS: ReadonlySet<string> = new Set(["false", "no", "off", "0", ""]);

/** The state that a widget shows: its own, or else the field's value. */
export function shownState(widget: PDFDict): string | undefined {
  const own = entry(widget, "AS") ?? inherited(widget, undefined, "V");
  return own instanceof PDFName ? nameOf(own) : undefined;
}

/** Names in an appearance's dictionary of states, without `Off`. */
function statesIn(widget: PDFDict, appearance: "N" | "D"): string[] {
  const states = dictOf(dictOf(widget, "AP"), appearance);
  return states === undefined
    ? []
    : states
        .keys()
        .map(nameOf)
        .filter((state) => state !== OFF);
}

/**
 * The state that checks a widget; undefined when its appearances name none. Of several, the one that has a picture of the
 * pressed button too: some files draw their unchecked state under a second name.
 */
function checkedState(widget: PDFDict): string | undefined {
  const states = statesIn(widget, "N");
  if (states.length < 2) return states[0];
  const pressed = new Set(statesIn(widget, "D"));
  return states.find((state) => pressed.has(state)) ?? states[0];
}

/** A text that is a state, the text shown for one, or the field's export value. @returns the state */
function stateByText({ options, optionLabels }: FormField, text: string): string | undefined {
  if (options.includes(text)) return text;
  const index = optionLabels.indexOf(text);
  return index < 0 ? undefined : options[index];
}

/** @returns the state to set; `Off` unchecks. @throws BadRequest for a value that names no state */
function wantedState(field: FormField, value: Json): string {
  const { name, options, type } = field;
  if (value === null || value === false) return OFF;
  if (value !== true) {
    const text = textValue(name, value);
    const state = stateByText(field, text);
    if (state !== undefined) return state;
    if (text === OFF || (NO_WORDS.has(text.toLowerCase()) && !(type === "radio" && text !== ""))) return OFF;
    if (type === "radio" || !YES_WORDS.has(text.toLowerCase())) {
      throw badValue(
        name,
        `The field ${name} does not have the state "${text.slice(0, 100)}"; its states are ${listNames(options)}`,
      );
    }
  }
  const states = new Set(field.widgets.flatMap((widget) => checkedState(widget) ?? []));
  if (states.size > 1) {
    throw badValue(name, `The field ${name} has several states; name one of ${listNames(options)}`);
  }
  const [state] = states;
  return state ?? DEFAULT_STATE;
}

function markOf(widget: PDFDict, field: FormField): string {
  const characteristics = dictOf(widget, "MK");
  const named = characteristics === undefined ? undefined : textOf(entry(characteristics, "CA"));
  return named !== undefined && MARKS[named] !== undefined ? named : field.type === "radio" ? RADIO_MARK : CHECK_MARK;
}

/** The mark in the middle of its frame. */
function drawMark(context: FillContext, look: WidgetLook, mark: string, colour: string): AppearanceContent {
  const { width, top, bottom } = MARKS[mark] ?? { width: 0.8, top: 0.7, bottom: 0 };
  const inner = Math.max(1, Math.min(look.width, look.height) - 2 * look.borderWidth) * MARK_SHARE;
  const size = inner / Math.max(width, top - bottom);
  const x = (look.width - width * size) / 2;
  const y = (look.height - (top - bottom) * size) / 2 - bottom * size;
  const font = context.document.embedStandardFont(StandardFonts.ZapfDingbats);
  const code = Buffer.from(mark, "latin1").toString("hex");
  const place = [x, y].map((value) => Math.round(value * 1000) / 1000).join(" ");
  return {
    operators: `q BT ${colour} /SheafZapfDingbats ${Math.round(size * 1000) / 1000} Tf ${place} Td <${code}> Tj ET Q`,
    fonts: new Map([["SheafZapfDingbats", font.ref]]),
  };
}

const isStream = (object: PDFObject | undefined): boolean => object instanceof PDFStream;

/**
 * Sees to it that a widget has a stream for `Off` and for its state: viewers refuse a state without one, and some do not
 * follow a reference from /N to its dictionary. States with a stream stay as they are.
 */
export function completeStates(context: FillContext, field: FormField, widget: PDFDict, state: string): void {
  const look = readLook(widget);
  if (look === undefined) return;
  const given = dictOf(widget, "AP")?.get(PDFName.of("N"));
  const known = resolveReferences(widget.context, given);
  const isDict = known instanceof PDFDict;
  if (given === known && isDict && isStream(entry(known, state)) && isStream(entry(known, OFF))) return;
  const states = widget.context.obj({}) as PDFDict;
  for (const [key, value] of isDict ? known.entries() : []) {
    if (isStream(resolveReferences(widget.context, value))) states.set(key, value);
  }
  if (!states.has(PDFName.of(state))) {
    const { colour } = readDefaultAppearance(widget, context.form);
    const mark = drawMark(context, look, markOf(widget, field), colour);
    states.set(PDFName.of(state), makeAppearance(context.document, look, mark));
  }
  if (!states.has(PDFName.of(OFF))) {
    states.set(PDFName.of(OFF), makeAppearance(context.document, look, { operators: "" }));
  }
  setAppearance(widget, states, ["D", "R"]);
}

/** The state of a widget that a value can set; undefined for a widget without one beside others that have one. */
function ownState({ options }: FormField, widget: PDFDict, wanted: string): string | undefined {
  if (statesIn(widget, "N").includes(wanted)) return wanted;
  const checked = checkedState(widget);
  if (checked !== undefined || options.length > 0) return checked;
  return wanted === OFF ? DEFAULT_STATE : wanted;
}

/** Sees to it that the state which a widget shows has a stream. */
export function completeShownState(context: FillContext, field: FormField): void {
  for (const widget of field.widgets) {
    const state = shownState(widget);
    if (state !== undefined && state !== OFF) completeStates(context, field, widget, state);
  }
}

/**
 * Checks or unchecks a box, or chooses a radio button: booleans, states, and the texts shown for them.
 * @throws BadRequest for any other value; it lists the states
 */
export function fillToggle(context: FillContext, field: FormField, value: Json): void {
  const wanted = wantedState(field, value);
  for (const widget of field.widgets) {
    const own = ownState(field, widget, wanted);
    if (own !== undefined) completeStates(context, field, widget, own);
    widget.set(PDFName.of("AS"), PDFName.of(own === wanted ? wanted : OFF));
  }
  for (const owner of ownersOf(field)) owner.set(PDFName.of("V"), PDFName.of(wanted));
}
