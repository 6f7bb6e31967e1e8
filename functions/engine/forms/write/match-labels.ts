/** Values by the names or the printed labels of fields, as values by the names of the form's fields. */
import type { Json, JsonObject } from "../../../ports/json.ts";
import type { FieldDefinition } from "../field-definition.ts";

/** A field that takes values: its name in the form, and for a radio button the state that chooses it. */
export interface FillableField {
  definition: FieldDefinition;
  state?: string;
}

export interface LabelMatch {
  /** Values by field name. */
  fields: JsonObject;
  /** Sentences about values that fit no field, or more than one. */
  warnings: string[];
}

/** Fewest characters of a key that may be a part of a label. */
const MIN_PART_CHARACTERS = 4;
/** Most characters of a key that a sentence quotes. */
const MAX_QUOTE_CHARACTERS = 80;

/** Letters and digits of a text in lower case: what tells one label from another. */
const essence = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

const quoted = (key: string): string => `"${key.slice(0, MAX_QUOTE_CHARACTERS)}"`;

const isTrue = (value: Json): boolean => value === true || (typeof value === "string" && essence(value) === "true");

/** Fields by one of their texts. */
class FieldIndex {
  readonly #byText = new Map<string, FillableField[]>();

  constructor(fields: readonly FillableField[], textOf: (field: FillableField) => string) {
    for (const field of fields) {
      const text = textOf(field);
      if (text !== "") this.#byText.set(text, [...(this.#byText.get(text) ?? []), field]);
    }
  }

  find(text: string): FillableField[] {
    return this.#byText.get(text) ?? [];
  }

  /** Fields of the one text that the given one is a part of. */
  findWhole(part: string): FillableField[] {
    if (part.length < MIN_PART_CHARACTERS) return [];
    const found = [...this.#byText].filter(([text]) => text.includes(part));
    return found.flatMap(([, fields]) => fields);
  }
}

const isChoice = ({ definition: { fieldType } }: FillableField): boolean =>
  fieldType === "radio" || fieldType === "checkbox";

/** The texts that choose a button. */
const choiceTexts = ({ definition: { options, label }, state }: FillableField): string[] =>
  [...options, label, state ?? ""].map(essence);

export class LabelMatcher {
  readonly #indexes: readonly FieldIndex[];
  readonly #labels: FieldIndex;
  readonly #fields = new Map<string, Json>();
  readonly #warnings: string[] = [];

  constructor(fields: readonly FillableField[]) {
    const fillable = fields.filter(({ definition }) => definition.fieldType !== "signature");
    this.#labels = new FieldIndex(fillable, ({ definition }) => essence(definition.label));
    this.#indexes = [
      new FieldIndex(fillable, ({ definition }) => definition.fieldName),
      new FieldIndex(fillable, ({ definition }) => essence(definition.fieldName)),
      new FieldIndex(fillable, ({ definition }) => essence(definition.group ?? "")),
      this.#labels,
    ];
  }

  /** Matches every value: by name, then by group, then by label, at last by a part of one label. */
  match(values: JsonObject): LabelMatch {
    for (const [key, value] of Object.entries(values)) this.#matchOne(key, value);
    return { fields: Object.fromEntries(this.#fields), warnings: this.#warnings };
  }

  #matchOne(key: string, value: Json): void {
    const wanted = essence(key);
    const [byName, ...others] = this.#indexes;
    let found = byName?.find(key) ?? [];
    for (const index of others) if (found.length === 0) found = index.find(wanted);
    if (found.length === 0) found = this.#labels.findWhole(wanted);
    if (found.length === 0) this.#warnings.push(`No field has the name or the label ${quoted(key)}`);
    else if (found.every(isChoice)) this.#choose(key, value, found);
    else this.#set(key, value, found);
  }

  #set(key: string, value: Json, found: readonly FillableField[]): void {
    const names = [...new Set(found.map(({ definition }) => definition.fieldName))];
    const [name, ...more] = names;
    if (name !== undefined && more.length === 0) this.#fields.set(name, value);
    else
      this.#warnings.push(
        `${quoted(key)} fits ${names.length} fields; give the value by one name of ${names.join(", ")}`,
      );
  }

  /** Sets boxes and buttons: one alone by what it is, several by the texts of those to choose. */
  #choose(key: string, value: Json, found: readonly FillableField[]): void {
    const [only, ...more] = found;
    if (only !== undefined && more.length === 0) {
      const { fieldName } = only.definition;
      if (only.state === undefined) this.#fields.set(fieldName, value);
      else if (isTrue(value) || this.#names(only, value)) this.#fields.set(fieldName, only.state);
      else if (value === false || value === null) return;
      else this.#warnings.push(`The button ${quoted(key)} takes true, or its own text`);
      return;
    }
    for (const one of Array.isArray(value) ? value : [value]) {
      const chosen = found.filter((field) => this.#names(field, one));
      if (chosen.length === 0) this.#warnings.push(`${quoted(key)} has no choice ${quoted(String(one))}`);
      for (const { definition, state } of chosen.slice(0, 1)) this.#fields.set(definition.fieldName, state ?? true);
    }
  }

  #names(field: FillableField, value: Json): boolean {
    const wanted = typeof value === "string" || typeof value === "number" ? essence(String(value)) : "";
    return wanted !== "" && choiceTexts(field).includes(wanted);
  }
}
