/** Values of a PDF form's fields: filled-in values are known without reading the page. */

import type { Conventions } from "../extraction/rules/value-reader.ts";
import type { AcroFormField } from "../forms/acroform/acroform.ts";
import type { SourceLocation } from "../layout/source-locations.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import { parseDate } from "../values/dates.ts";
import { lettersAndDigits } from "../values/letters-and-digits.ts";
import { parseNumber } from "../values/numbers.ts";
import { stem } from "../values/stems.ts";
import { splitName } from "../values/text-folding.ts";

/** Widgets of one field that a location lists. */
const MAX_LOCATED_WIDGETS = 20;
/** Minimum length of a value that identifies its field without the field's name. */
const MIN_TELLING_CHARACTERS = 4;
const NAMED_FIELD_CONFIDENCE = 1;
const UNNAMED_FIELD_CONFIDENCE = 0.85;
const ONE_OF_SEVERAL_CONFIDENCE = 0.6;
/** Name of the unticked state of a check box (PDF 32000-1, 12.7.4.2.3). */
const UNTICKED_VALUE = "Off";

const stemmedWords = (text: string): string[] => splitName(text).map(stem);

interface IndexedField {
  field: AcroFormField;
  words: Set<string>;
}

/** Keys of a field's text in all forms in which a result may hold it. */
function textKeys(text: string, { notation, order }: Conventions): string[] {
  const number = parseNumber(text, notation);
  const date = parseDate(text, order);
  return [
    ...(number === null ? [] : [`number ${number}`]),
    ...(date === null ? [] : [`text ${lettersAndDigits(date)}`]),
    `text ${lettersAndDigits(text)}`,
  ];
}

export class FilledFormFields {
  readonly #byValue = new Map<string, IndexedField[]>();

  constructor(fields: readonly AcroFormField[], conventions: Conventions) {
    for (const field of fields) {
      if (field.value === null || !field.widgets.some(({ pageAnchors }) => pageAnchors.length > 0)) continue;
      const entry = { field, words: new Set(stemmedWords(`${field.name} ${field.tooltip ?? ""}`)) };
      for (const key of fieldValueKeys(field, conventions)) {
        const list = this.#byValue.get(key);
        if (list === undefined) this.#byValue.set(key, [entry]);
        else list.push(entry);
      }
    }
  }

  /** The form field that holds a leaf's value: the one with its name, or the only one with its value. */
  locate({ value, field }: Leaf): SourceLocation | null {
    const key = typeof value === "string" ? `text ${lettersAndDigits(value)}` : `${typeof value} ${value}`;
    if (key === "text ") return null;
    const entries = this.#byValue.get(key) ?? [];
    const own = new Set(stemmedWords(`${field.name} ${field.title}`));
    const named = entries
      .map((entry) => ({ entry, shared: [...own].filter((word) => entry.words.has(word)).length }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared);
    if (named[0] !== undefined) {
      const contested = named[1]?.shared === named[0].shared;
      return locationOf(named[0].entry.field, contested ? UNNAMED_FIELD_CONFIDENCE : NAMED_FIELD_CONFIDENCE);
    }
    const [only] = entries;
    if (
      only === undefined ||
      typeof value === "boolean" ||
      lettersAndDigits(String(value)).length < MIN_TELLING_CHARACTERS
    )
      return null;
    return locationOf(only.field, entries.length === 1 ? UNNAMED_FIELD_CONFIDENCE : ONE_OF_SEVERAL_CONFIDENCE);
  }
}

function fieldValueKeys(field: AcroFormField, conventions: Conventions): string[] {
  if (field.type === "checkbox") return [`boolean ${field.value !== UNTICKED_VALUE}`];
  const values = Array.isArray(field.value) ? field.value : [field.value ?? ""];
  const labels = field.options.filter((option) => values.includes(option.value)).map((option) => option.label);
  return [...new Set([...values, ...labels].flatMap((text) => textKeys(text, conventions)))];
}

function locationOf(field: AcroFormField, confidence: number): SourceLocation {
  const anchors = field.widgets.flatMap(({ pageAnchors }) => pageAnchors).slice(0, MAX_LOCATED_WIDGETS);
  return {
    resolution: "acroform-field",
    sourceRefs: [field.id],
    pageAnchors: anchors.map(({ pageNumber, unit, bbox }) => ({
      pageNumber,
      unit,
      bbox,
      polygons: [
        [
          { x: bbox.left, y: bbox.top },
          { x: bbox.right, y: bbox.top },
          { x: bbox.right, y: bbox.bottom },
          { x: bbox.left, y: bbox.bottom },
        ],
      ],
    })),
    confidence,
  };
}
