/** Meaning of a field's entries: its type, flags, options and values (PDF 32000-1, 12.7.4). */
import { PDFArray, PDFDict, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import type { AcroFormField, AcroFormOption, AcroFormType } from "./acroform.ts";
import type { FieldAttributes, TreeField } from "./field-tree.ts";
import { dictOf, entry, membersOf, nameOf, numberOf, textOf } from "./pdf-values.ts";

const MAX_OPTIONS = 10_000;
const OFF_STATE = "Off";

/** Bit positions from 1, as the tables count them. */
const COMMON_FLAG_BITS: Record<number, string> = { 1: "readOnly", 2: "required", 3: "noExport" };
const FLAG_BITS_BY_FIELD_TYPE: Record<string, Record<number, string>> = {
  Tx: {
    13: "multiline",
    14: "password",
    21: "fileSelect",
    23: "doNotSpellCheck",
    24: "doNotScroll",
    25: "comb",
    26: "richText",
  },
  Btn: { 15: "noToggleToOff", 16: "radio", 17: "pushbutton", 26: "radiosInUnison" },
  Ch: { 18: "combo", 19: "edit", 20: "sort", 22: "multiSelect", 23: "doNotSpellCheck", 27: "commitOnSelChange" },
  Sig: {},
};
/** Widget flags (table 165): hidden, not viewed. */
const HIDDEN_WIDGET_FLAGS = 0b10 | 0b100000;

const fieldTypeOf = ({ FT }: FieldAttributes): string => (FT instanceof PDFName ? nameOf(FT) : "");

function flagNames({ attributes, widgets }: TreeField): string[] {
  const bits = (numberOf(attributes.Ff) ?? 0) >>> 0;
  const named = Object.entries({ ...COMMON_FLAG_BITS, ...FLAG_BITS_BY_FIELD_TYPE[fieldTypeOf(attributes)] }).flatMap(
    ([bit, name]) => ((bits & (1 << (Number(bit) - 1))) !== 0 ? [name] : []),
  );
  const hidden =
    widgets.length > 0 && widgets.every((widget) => ((numberOf(entry(widget, "F")) ?? 0) & HIDDEN_WIDGET_FLAGS) !== 0);
  return hidden ? [...named, "hidden"] : named;
}

function acroFormType(kind: string, flags: readonly string[]): AcroFormType | undefined {
  const is = (flag: string): boolean => flags.includes(flag);
  if (kind === "Tx") return is("multiline") ? "multiline" : "text";
  if (kind === "Btn") return is("pushbutton") ? "button" : is("radio") ? "radio" : "checkbox";
  if (kind === "Ch") return is("combo") ? "dropdown" : "listbox";
  return kind === "Sig" ? "signature" : undefined;
}

/** Options of a list: each is a text, or an export value and its text. */
function listOptions(Opt: PDFObject | undefined): AcroFormOption[] {
  if (!(Opt instanceof PDFArray)) return [];
  return membersOf(Opt, MAX_OPTIONS).flatMap((member): AcroFormOption[] => {
    const [value, label] = member instanceof PDFArray ? membersOf(member, 2).map(textOf) : [textOf(member)];
    return value === undefined ? [] : [{ value, label: label ?? value }];
  });
}

/** The state of a checkbox or radio button besides `Off`, from its appearances. */
export function onStateOf(widget: PDFDict): string | undefined {
  const appearances = dictOf(dictOf(widget, "AP"), "N");
  return appearances
    ?.keys()
    .map(nameOf)
    .find((state) => state !== OFF_STATE);
}

/** States of a button besides `Off`, from its appearances; labelled by the field's export names where it has them. */
function buttonStates({ attributes: { Opt }, widgets }: TreeField): AcroFormOption[] {
  const labels = listOptions(Opt);
  const options = new Map<string, AcroFormOption>();
  for (const [index, widget] of widgets.entries()) {
    const appearances = dictOf(dictOf(widget, "AP"), "N");
    for (const key of appearances?.keys() ?? []) {
      const value = nameOf(key);
      if (value === OFF_STATE || options.has(value) || options.size >= MAX_OPTIONS) continue;
      options.set(value, { value, label: labels[index]?.label ?? value });
    }
  }
  return [...options.values()];
}

/** The signer's name, where the signature states it. */
const signerName = (value: PDFDict): string => textOf(entry(value, "Name")) ?? "signed";

function fieldValue(object: PDFObject | undefined): string | string[] | null {
  if (object instanceof PDFArray) return membersOf(object, MAX_OPTIONS).flatMap((member) => textOf(member) ?? []);
  if (object instanceof PDFDict) return signerName(object);
  return textOf(object) ?? null;
}

/** The button's state: from the field's value, else from its appearances. */
function buttonState({ attributes: { V }, widgets }: TreeField): string {
  const stated = textOf(V);
  if (stated !== undefined) return stated;
  const shown = widgets
    .map((widget) => textOf(entry(widget, "AS")))
    .find((state) => state !== undefined && state !== OFF_STATE);
  return shown ?? OFF_STATE;
}

/** Describes a field without its places. @returns undefined for an unknown type */
export function describeField(
  field: TreeField,
): Omit<AcroFormField, "id" | "pageNumber" | "rect" | "widgets"> | undefined {
  const { name, dict, attributes } = field;
  const flags = flagNames(field);
  const type = acroFormType(fieldTypeOf(attributes), flags);
  if (type === undefined) return undefined;
  const isToggle = type === "checkbox" || type === "radio";
  const secret = flags.includes("password") || type === "button";
  const maxLength = numberOf(attributes.MaxLen);
  return {
    name,
    type,
    tooltip: textOf(entry(dict, "TU")) ?? null,
    value: secret ? null : isToggle ? buttonState(field) : fieldValue(attributes.V),
    defaultValue: secret ? null : fieldValue(attributes.DV),
    options: isToggle
      ? buttonStates(field)
      : listOptions(type === "dropdown" || type === "listbox" ? attributes.Opt : undefined),
    flags,
    maxLength: maxLength !== undefined && maxLength >= 0 ? maxLength : null,
  };
}
