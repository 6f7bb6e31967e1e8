/** Values of a PDF form's fields: what was filled in is known without reading the page. */

import type { Conventions } from "../extraction/rules/value-reader.ts";
import type { AcroFormField } from "../forms/acroform/acroform.ts";
import type { SourceLocation } from "../layout/source-locations.ts";
import type { Leaf } from "../schema/result-leaves.ts";
import { parseDate } from "../values/dates.ts";
import { parseNumber } from "../values/numbers.ts";
import { foldText, splitName, stem } from "../values/text-folding.ts";

/** Places of one field that are named. */
const MOST_WIDGETS = 20;
/** A value alone names its field when it is that long. */
const TELLING = 4;
const NAMED = 1;
const UNNAMED = 0.85;
const ONE_OF_SEVERAL = 0.6;
/** What PDF 32000-1, 12.7.4.2.3 calls a box that is not ticked. */
const OFF = "Off";

const compact = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, "");
const wordsOf = (text: string): string[] => splitName(text).map(stem);

interface Entry {
  field: AcroFormField;
  words: Set<string>;
}

/** The field's value in the shapes in which a result may hold it. */
function keysOf(text: string, { notation, order }: Conventions): string[] {
  const number = parseNumber(text, notation);
  const date = parseDate(text, order);
  return [
    ...(number === null ? [] : [`number ${number}`]),
    ...(date === null ? [] : [`text ${compact(date)}`]),
    `text ${compact(text)}`,
  ];
}

export class FormFields {
  readonly #byValue = new Map<string, Entry[]>();

  constructor(fields: readonly AcroFormField[], conventions: Conventions) {
    for (const field of fields) {
      if (field.value === null || !field.widgets.some(({ pageAnchors }) => pageAnchors.length > 0)) continue;
      const entry = { field, words: new Set(wordsOf(`${field.name} ${field.tooltip ?? ""}`)) };
      for (const key of valueKeys(field, conventions)) {
        const list = this.#byValue.get(key);
        if (list === undefined) this.#byValue.set(key, [entry]);
        else list.push(entry);
      }
    }
  }

  /** The field that holds a leaf's value: the one of its name, or the only one with a value like it. */
  locate({ value, field }: Leaf): SourceLocation | null {
    const key = typeof value === "string" ? `text ${compact(value)}` : `${typeof value} ${value}`;
    if (key === "text ") return null;
    const entries = this.#byValue.get(key) ?? [];
    const own = new Set(wordsOf(`${field.name} ${field.title}`));
    const named = entries
      .map((entry) => ({ entry, shared: [...own].filter((word) => entry.words.has(word)).length }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared);
    if (named[0] !== undefined) {
      const contested = named[1]?.shared === named[0].shared;
      return locationOf(named[0].entry.field, contested ? UNNAMED : NAMED);
    }
    const [only] = entries;
    if (only === undefined || typeof value === "boolean" || compact(String(value)).length < TELLING) return null;
    return locationOf(only.field, entries.length === 1 ? UNNAMED : ONE_OF_SEVERAL);
  }
}

function valueKeys(field: AcroFormField, conventions: Conventions): string[] {
  if (field.type === "checkbox") return [`boolean ${field.value !== OFF}`];
  const values = Array.isArray(field.value) ? field.value : [field.value ?? ""];
  const labels = field.options.filter((option) => values.includes(option.value)).map((option) => option.label);
  return [...new Set([...values, ...labels].flatMap((text) => keysOf(text, conventions)))];
}

function locationOf(field: AcroFormField, confidence: number): SourceLocation {
  const anchors = field.widgets.flatMap(({ pageAnchors }) => pageAnchors).slice(0, MOST_WIDGETS);
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
