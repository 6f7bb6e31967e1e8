/** A JSON Schema of a template's fields, which extraction accepts, and fields that fill the template. */
import type { Json, JsonObject } from "../../ports/json.ts";
import type { TemplateField } from "./template.ts";

export interface TemplateSchema {
  schema: JsonObject;
  example: JsonObject;
}

/** Levels of nested objects; a name with more parts stays whole. A schema has at most 64 levels, two for each part. */
const MAX_PARTS = 20;
/** A date in every notation that fields have is made from this one. */
const EXAMPLE_DATE = "2026-01-31";
const EXAMPLE_NUMBER = 1234.5;
const EXAMPLE_TEXT = "Example";

/** What documents print and the field takes: the texts of its options, where they tell the options apart. */
function choicesOf({ options, optionLabels }: TemplateField): string[] {
  const labels = new Set(optionLabels);
  const tells = labels.size === options.length && !labels.has("");
  return [...new Set(tells ? optionLabels : options)];
}

interface Leaf {
  schema: JsonObject;
  example: Json;
}

function choiceLeaf(field: TemplateField): Leaf {
  const choices = choicesOf(field);
  const [first] = choices;
  // A list that may be typed into, or one without options.
  if (first === undefined || field.flags.includes("edit")) return { schema: { type: "string" }, example: first ?? "" };
  const one: JsonObject = { type: "string", enum: choices };
  return field.flags.includes("multiSelect")
    ? { schema: { type: "array", items: one }, example: [first] }
    : { schema: one, example: first };
}

function textLeaf({ dateFormat, maxLength, valueType }: TemplateField): Leaf {
  if (valueType === "number") return { schema: { type: "number" }, example: EXAMPLE_NUMBER };
  if (dateFormat !== null || valueType === "date")
    return { schema: { type: "string", format: "date" }, example: EXAMPLE_DATE };
  if (maxLength === null) return { schema: { type: "string" }, example: EXAMPLE_TEXT };
  return { schema: { type: "string", maxLength }, example: EXAMPLE_TEXT.slice(0, maxLength) };
}

/** The items of a loop; undefined for one whose items have no values of a document. */
function loopLeaf({ fields }: TemplateField): Leaf | undefined {
  const [own] = fields.filter(({ name }) => name === ".");
  const item = own !== undefined && fields.length === 1 ? leafOf(own) : templateSchema(fields);
  if (item === undefined) return undefined;
  return { schema: { type: "array", items: item.schema }, example: [item.example] };
}

/** @returns undefined for a field that takes no value of a document: a button, a signature, a picture */
function leafOf(field: TemplateField): Leaf | undefined {
  switch (field.type) {
    case "text":
    case "multiline":
      return textLeaf(field);
    case "checkbox":
      return field.options.length > 1 ? choiceLeaf(field) : { schema: { type: "boolean" }, example: true };
    case "radio":
    case "dropdown":
    case "listbox":
      return choiceLeaf(field);
    case "condition":
      return { schema: { type: "boolean" }, example: true };
    case "loop":
      return loopLeaf(field);
    default:
      return undefined;
  }
}

/** Names by their parts; a leaf is a field. */
type Branch = Map<string, Branch | Leaf>;

/** The places of a name; a name below another field's stays whole, as an object there would be that field's value. */
function partsOf(name: string, names: ReadonlySet<string>): string[] {
  const parts = name.split(".");
  const isBelowField = parts.some((_, at) => at > 0 && names.has(parts.slice(0, at).join(".")));
  return isBelowField || parts.length > MAX_PARTS || parts.includes("") ? [name] : parts;
}

function add(root: Branch, parts: readonly string[], leaf: Leaf): void {
  let at = root;
  for (const part of parts.slice(0, -1)) {
    const found = at.get(part);
    const next: Branch = found instanceof Map ? found : new Map();
    at.set(part, next);
    at = next;
  }
  at.set(parts.at(-1) ?? "", leaf);
}

function write(branch: Branch): TemplateSchema {
  const written = [...branch].map(([name, below]): [string, Leaf] => [
    name,
    below instanceof Map ? write(below) : below,
  ]);
  return {
    schema: { type: "object", properties: Object.fromEntries(written.map(([name, { schema }]) => [name, schema])) },
    example: Object.fromEntries(written.map(([name, { example }]) => [name, example])),
  };
}

/** True for a condition on an object whose members are fields: it is met where they are given. */
const isParent = ({ name, type }: TemplateField, fields: readonly TemplateField[]): boolean =>
  type === "condition" && fields.some((other) => other.name.startsWith(`${name}.`));

/** Describes the fields that values of documents can fill; parts of names between full stops are nested objects. */
export function templateSchema(fields: readonly TemplateField[]): TemplateSchema {
  const root: Branch = new Map();
  const names = new Set(fields.filter((one) => !isParent(one, fields)).map(({ name }) => name));
  for (const field of fields.filter((one) => !isParent(one, fields))) {
    const leaf = leafOf(field);
    if (leaf === undefined) continue;
    const { tooltip } = field;
    add(
      root,
      partsOf(field.name, names),
      tooltip === null ? leaf : { ...leaf, schema: { ...leaf.schema, description: tooltip } },
    );
  }
  return write(root);
}
