/** The properties of a list's items, and the columns that may hold them. */
import type { Field } from "../../../schema/schema-shape.ts";
import { labelWords } from "../../../values/label-words.ts";
import { stem } from "../../../values/stems.ts";
import { splitName } from "../../../values/text-folding.ts";
import { type Meaning, meaningOf } from "../field-meaning.ts";
import { type Conventions, type Reader, readerFor } from "../value-reader.ts";

/** A property of items, with its meaning and reader. */
export interface WantedProperty {
  field: Field;
  meaning: Meaning;
  reader: Reader;
  /** Stems of the words of its description. */
  described: ReadonlySet<string>;
}

/** The stems of the words of a text, each once. */
export const stems = (text: string): string[] => [...new Set(labelWords(text).map((word) => stem(word)))];

/** The properties that columns can hold: formulas and constants are left out. */
export const wantedProperties = (fields: readonly Field[], conventions: Conventions): WantedProperty[] =>
  fields
    .filter((field) => !field.calculated && field.constant === null)
    .map((field) => {
      const meaning = meaningOf(field);
      const described = new Set(stems(splitName(field.description).join(" ")));
      return { field, meaning, reader: readerFor(field, meaning, conventions), described };
    });

/** A column with its heading and some of its cells. */
export interface HeadedColumn {
  text: string;
  meanings: Map<string, number>;
  cells: string[];
}

/** Columns assigned so far. */
export interface Assignment {
  columns: Map<Field, number>;
  taken: Set<number>;
  headings: readonly HeadedColumn[];
}
