/** What a field's entries mean: its type, flags, options and values (PDF 32000-1, 12.7.4). */
import { PDFArray, PDFDict, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import type { AcroFormField, AcroFormOption, AcroFormType } from "./acroform.ts";
import type { Attributes, TreeField } from "./field-tree.ts";
import { dictOf, entry, membersOf, nameOf, numberOf, textOf } from "./pdf-values.ts";

const MOST_OPTIONS = 10_000;
const OFF = "Off";

/** Bit positions from 1, as the tables count them. */
const COMMON: Record<number, string> = { 1: "readOnly", 2: "required", 3: "noExport" };
const BY_KIND: Record<string, Record<number, string>> = {
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
/** Of a widget (table 165): hidden, not viewed. */
const UNSEEN = 0b10 | 0b100000;

const kindOf = ({ FT }: Attributes): string => (FT instanceof PDFName ? nameOf(FT) : "");

function namesOf({ attributes, widgets }: TreeField): string[] {
  const bits = (numberOf(attributes.Ff) ?? 0) >>> 0;
  const named = Object.entries({ ...COMMON, ...BY_KIND[kindOf(attributes)] }).flatMap(([bit, name]) =>
    (bits & (1 << (Number(bit) - 1))) !== 0 ? [name] : [],
  );
  const hidden = widgets.length > 0 && widgets.every((widget) => ((numberOf(entry(widget, "F")) ?? 0) & UNSEEN) !== 0);
  return hidden ? [...named, "hidden"] : named;
}

function typeOf(kind: string, flags: readonly string[]): AcroFormType | undefined {
  const is = (flag: string): boolean => flags.includes(flag);
  if (kind === "Tx") return is("multiline") ? "multiline" : "text";
  if (kind === "Btn") return is("pushbutton") ? "button" : is("radio") ? "radio" : "checkbox";
  if (kind === "Ch") return is("combo") ? "dropdown" : "listbox";
  return kind === "Sig" ? "signature" : undefined;
}

/** A list's entries: a text, or what it stands for and the text. */
function choices(Opt: PDFObject | undefined): AcroFormOption[] {
  if (!(Opt instanceof PDFArray)) return [];
  return membersOf(Opt, MOST_OPTIONS).flatMap((member): AcroFormOption[] => {
    const [value, label] = member instanceof PDFArray ? membersOf(member, 2).map(textOf) : [textOf(member)];
    return value === undefined ? [] : [{ value, label: label ?? value }];
  });
}

/** The states that a button's looks have besides Off; where the field names them for export, by that name. */
function states({ attributes: { Opt }, widgets }: TreeField): AcroFormOption[] {
  const labels = choices(Opt);
  const options = new Map<string, AcroFormOption>();
  for (const [index, widget] of widgets.entries()) {
    const looks = dictOf(dictOf(widget, "AP"), "N");
    for (const key of looks?.keys() ?? []) {
      const value = nameOf(key);
      if (value === OFF || options.has(value) || options.size >= MOST_OPTIONS) continue;
      options.set(value, { value, label: labels[index]?.label ?? value });
    }
  }
  return [...options.values()];
}

/** A signature that is there: by whom, where it says so. */
const signature = (value: PDFDict): string => textOf(entry(value, "Name")) ?? "signed";

function contentOf(object: PDFObject | undefined): string | string[] | null {
  if (object instanceof PDFArray) return membersOf(object, MOST_OPTIONS).flatMap((member) => textOf(member) ?? []);
  if (object instanceof PDFDict) return signature(object);
  return textOf(object) ?? null;
}

/** What is ticked: as the field says, else as its looks do. */
function stateOf({ attributes: { V }, widgets }: TreeField): string {
  const stated = textOf(V);
  if (stated !== undefined) return stated;
  const shown = widgets
    .map((widget) => textOf(entry(widget, "AS")))
    .find((state) => state !== undefined && state !== OFF);
  return shown ?? OFF;
}

/** A field's description without its places; undefined for one of an unknown type. */
export function describeField(
  field: TreeField,
): Omit<AcroFormField, "id" | "pageNumber" | "rect" | "widgets"> | undefined {
  const { name, dict, attributes } = field;
  const flags = namesOf(field);
  const type = typeOf(kindOf(attributes), flags);
  if (type === undefined) return undefined;
  const ticks = type === "checkbox" || type === "radio";
  const secret = flags.includes("password") || type === "button";
  const maxLength = numberOf(attributes.MaxLen);
  return {
    name,
    type,
    tooltip: textOf(entry(dict, "TU")) ?? null,
    value: secret ? null : ticks ? stateOf(field) : contentOf(attributes.V),
    defaultValue: secret ? null : contentOf(attributes.DV),
    options: ticks ? states(field) : choices(type === "dropdown" || type === "listbox" ? attributes.Opt : undefined),
    flags,
    maxLength: maxLength !== undefined && maxLength >= 0 ? maxLength : null,
  };
}
