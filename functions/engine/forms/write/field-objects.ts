/** The objects of new fields: their dictionaries, widgets and first appearances (PDF 32000-1, 12.7). */
import { type PDFDict, type PDFDocument, PDFName, type PDFObject, type PDFRef } from "@cantoo/pdf-lib";
import { makeAppearance } from "../../templates/pdf/appearance.ts";
import { pdfText } from "../../templates/pdf/fill-text.ts";
import type { WidgetLook } from "../../templates/pdf/widget-look.ts";
import type { FormPage } from "../acroform/form-pages.ts";
import type { FieldDefinition } from "../field-definition.ts";
import type { ChosenDefinition } from "./choose-definitions.ts";
import { datePattern } from "./date-pattern.ts";
import { rectangleOn } from "./entry-place.ts";
import { checkMark, radioDot } from "./marks.ts";
import { combSize, lineSize, paragraphSize } from "./text-size.ts";

/** Bits of /Ff (tables 221, 226, 228, 230). */
const REQUIRED = 1 << 1;
const MULTILINE = 1 << 12;
const NO_TOGGLE_TO_OFF = 1 << 14;
const RADIO = 1 << 15;
const COMBO = 1 << 17;
const EDIT = 1 << 18;
const COMB = 1 << 24;
/** /F of a widget (table 165): it is printed. */
const PRINT = 1 << 2;

const CHECKED = "Yes";
const OFF = "Off";
/** Marks of ZapfDingbats, for viewers that draw toggles themselves. */
const CHECK_CAPTION = "4";
const RADIO_CAPTION = "l";
/** Most characters of a tooltip, and of the name of a radio button's state. */
const MAX_TOOLTIP_CHARACTERS = 500;
const MAX_STATE_CHARACTERS = 60;

/** A widget on its page. */
export interface PlacedWidget {
  page: FormPage;
  ref: PDFRef;
  definition: FieldDefinition;
}

/** A new field in the form's tree. */
export interface NewField {
  root: PDFRef;
  widgets: PlacedWidget[];
  /** States of a radio group's buttons, in the order of its widgets. */
  states?: string[];
}

/** Radio buttons' states: texts of the choices where they are plain, each once. */
export function statesOf(definitions: readonly FieldDefinition[]): string[] {
  const used = new Set<string>([OFF]);
  return definitions.map(({ options, label }, index) => {
    const text = (options[0] ?? label)
      .normalize("NFKD")
      .replaceAll(/[^\x20-\x7e]|[#/()<>[\]{}%]/gu, "")
      .replaceAll(/\s+/gu, " ")
      .trim()
      .slice(0, MAX_STATE_CHARACTERS)
      .trim();
    const wanted = text === "" ? String(index + 1) : text;
    let state = wanted;
    for (let number = 2; used.has(state); number += 1) state = `${wanted} ${number}`;
    used.add(state);
    return state;
  });
}

type Entries = Record<string, PDFObject | number | undefined>;

/** Makes the objects of fields; fields of one size share their appearances. */
export class FieldObjects {
  readonly #document: PDFDocument;
  readonly #pageRefs = new Map<FormPage, PDFRef | undefined>();
  readonly #appearances = new Map<string, PDFRef>();

  constructor(document: PDFDocument) {
    this.#document = document;
  }

  /** A field of one widget, which is both. */
  single({ definition, page }: ChosenDefinition): NewField {
    const widget = this.#widget(
      { definition, page },
      { ...this.#naming([definition]), ...this.#kind(definition, page) },
    );
    return { root: widget.ref, widgets: [widget] };
  }

  /** The radio buttons of one question. */
  radioGroup(chosen: readonly ChosenDefinition[]): NewField {
    const definitions = chosen.map(({ definition }) => definition);
    const states = statesOf(definitions);
    const parent = this.#dict({
      FT: PDFName.of("Btn"),
      Ff: RADIO | NO_TOGGLE_TO_OFF | (definitions.some(({ required }) => required) ? REQUIRED : 0),
      V: PDFName.of(OFF),
      ...this.#naming(definitions),
    });
    const root = this.#document.context.register(parent);
    const widgets = chosen.map((one, index) => {
      const look = this.#lookOf(one);
      return this.#widget(one, {
        Parent: root,
        DA: pdfText("/ZaDb 0 Tf 0 g"),
        ...this.#toggle(look, states[index] ?? CHECKED, { draw: radioDot, caption: RADIO_CAPTION }),
      });
    });
    parent.set(PDFName.of("Kids"), this.#document.context.obj(widgets.map(({ ref }) => ref)));
    return { root, widgets, states };
  }

  #naming(definitions: readonly FieldDefinition[]): Entries {
    const [first] = definitions;
    if (first === undefined) throw new TypeError("A field has a definition");
    const labels = [...new Set(definitions.map(({ label }) => label.trim()).filter((label) => label !== ""))];
    const tooltip = (labels.join(" / ") || first.fieldName).toWellFormed().slice(0, MAX_TOOLTIP_CHARACTERS);
    return { T: pdfText(first.fieldName), TU: pdfText(tooltip) };
  }

  /** Entries of a field by its type. */
  #kind(definition: FieldDefinition, page: FormPage): Entries {
    const look = this.#lookOf({ definition, page });
    const required = definition.required ? REQUIRED : 0;
    const font = (size: number): Entries => ({ DA: pdfText(`/Helv ${size} Tf 0 g`) });
    const empty = { AP: this.#dict({ N: this.#appearance(look, "/Tx BMC\nEMC", "text") }) };
    switch (definition.fieldType) {
      case "checkbox":
      case "radio":
        return {
          FT: PDFName.of("Btn"),
          Ff: required,
          V: PDFName.of(OFF),
          DA: pdfText("/ZaDb 0 Tf 0 g"),
          ...this.#toggle(look, CHECKED, { draw: checkMark, caption: CHECK_CAPTION }),
        };
      case "multiline":
        return { FT: PDFName.of("Tx"), Ff: MULTILINE | required, ...font(paragraphSize(page, look.height)), ...empty };
      case "dropdown":
        return {
          FT: PDFName.of("Ch"),
          Ff: COMBO | (definition.options.length === 0 ? EDIT : 0) | required,
          Opt: this.#document.context.obj(definition.options.map(pdfText)),
          ...font(lineSize(page, look.height)),
          ...empty,
        };
      case "signature":
        return { FT: PDFName.of("Sig"), Ff: required, AP: this.#dict({ N: this.#appearance(look, "", "blank") }) };
      default:
        return { ...this.#line(definition, page, look), ...empty };
    }
  }

  /** Entries of a field of one line, or of cells. */
  #line({ fieldType, label, comb, required }: FieldDefinition, page: FormPage, look: WidgetLook): Entries {
    const size =
      comb === undefined ? lineSize(page, look.height) : combSize(page, look.height, look.width / Math.max(1, comb));
    const pattern = fieldType === "date" ? datePattern(label, comb) : undefined;
    return {
      FT: PDFName.of("Tx"),
      Ff: (comb === undefined ? 0 : COMB) | (required ? REQUIRED : 0),
      MaxLen: comb,
      DA: pdfText(`/Helv ${size} Tf 0 g`),
      AA: pattern === undefined ? undefined : this.#dateActions(pattern),
    };
  }

  /** The scripts by which viewers keep to a notation; they are data here, and never run. */
  #dateActions(pattern: string): PDFDict {
    const action = (name: string): PDFDict =>
      this.#dict({ S: PDFName.of("JavaScript"), JS: pdfText(`${name}("${pattern}");`) });
    return this.#dict({ F: action("AFDate_FormatEx"), K: action("AFDate_KeystrokeEx") });
  }

  #toggle(
    look: WidgetLook,
    state: string,
    { draw, caption }: { draw: (width: number, height: number) => string; caption: string },
  ): Entries {
    const states = this.#dict({
      [state]: this.#appearance(look, draw(look.width, look.height), caption),
      [OFF]: this.#appearance(look, "", "blank"),
    });
    return { AS: PDFName.of(OFF), AP: this.#dict({ N: states }), MK: this.#characteristics(look, caption) };
  }

  #characteristics({ rotation }: WidgetLook, caption?: string): PDFDict | undefined {
    if (rotation === 0 && caption === undefined) return undefined;
    return this.#dict({
      R: rotation === 0 ? undefined : rotation,
      CA: caption === undefined ? undefined : pdfText(caption),
    });
  }

  #widget({ definition, page }: ChosenDefinition, entries: Entries): PlacedWidget {
    const { context } = this.#document;
    const widget = this.#dict({
      Type: PDFName.of("Annot"),
      Subtype: PDFName.of("Widget"),
      Rect: context.obj([...rectangleOn(page, definition.entryBbox)]),
      F: PRINT,
      P: this.#refOf(page),
      MK: this.#characteristics(this.#lookOf({ definition, page })),
      ...entries,
    });
    return { page, ref: context.register(widget), definition };
  }

  #refOf(page: FormPage): PDFRef | undefined {
    if (!this.#pageRefs.has(page)) this.#pageRefs.set(page, this.#document.context.getObjectRef(page.dict));
    return this.#pageRefs.get(page);
  }

  /** The look of a widget without frame and background, upright on the page as shown. */
  #lookOf({ definition, page }: ChosenDefinition): WidgetLook {
    const { left, top, right, bottom } = definition.entryBbox;
    return {
      width: Math.round((right - left) * page.width * 1000) / 1000,
      height: Math.round((bottom - top) * page.height * 1000) / 1000,
      rotation: page.rotation,
      background: undefined,
      border: undefined,
      borderWidth: 0,
      borderStyle: "S",
      dash: [],
    };
  }

  #appearance(look: WidgetLook, operators: string, kind: string): PDFRef {
    const key = `${kind} ${look.width} ${look.height} ${look.rotation}`;
    const known = this.#appearances.get(key);
    if (known !== undefined) return known;
    const made = makeAppearance(this.#document, look, { operators });
    this.#appearances.set(key, made);
    return made;
  }

  #dict(entries: Entries): PDFDict {
    const { context } = this.#document;
    const dict = context.obj({}) as PDFDict;
    for (const [key, value] of Object.entries(entries)) {
      if (value === undefined) continue;
      dict.set(PDFName.of(key), typeof value === "number" ? context.obj(value) : value);
    }
    return dict;
  }
}
