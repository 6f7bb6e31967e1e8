/** The fields of a template by the tags in it: loops with the fields of their items, types by the tags' use. */
import { type TemplateField, templateField } from "../template.ts";
import type { TagExpression } from "./tag-expression.ts";
import { datePatternOf, valueTypeOf } from "./tag-formats.ts";

/** A tag as it is used, in the order of the template. */
export type TagUse =
  | { kind: "value" | "picture"; expression: TagExpression }
  /** A section with all tags in it. `repeats` is true where the template says so, such as for rows of a table. */
  | { kind: "section"; path: readonly string[]; inverted: boolean; repeats?: boolean; uses: readonly TagUse[] }
  /** A field that the format knows more about: a control, a defined name. */
  | { kind: "field"; field: TemplateField };

/** The name of a path; `.` for the item itself. */
export const fieldName = (path: readonly string[]): string => (path.length === 0 ? "." : path.join("."));

const valueField = (kind: "value" | "picture", expression: TagExpression): TemplateField =>
  templateField(fieldName(expression.path), kind === "picture" ? "image" : "text", {
    valueType: valueTypeOf(expression),
    dateFormat: datePatternOf(expression),
  });

/** One field for two uses of a name: the one that says more counts, and loops have the fields of both. */
function merge(first: TemplateField, second: TemplateField): TemplateField {
  const loop = [first, second].find(({ type }) => type === "loop");
  if (loop !== undefined) return { ...loop, fields: mergeAll([...first.fields, ...second.fields]) };
  const [plain, telling] = first.type === "text" || first.type === "condition" ? [first, second] : [second, first];
  // A condition on a value that is also printed is that value.
  const chosen = telling.type === "condition" ? plain : telling;
  return {
    ...chosen,
    valueType: first.valueType ?? second.valueType,
    dateFormat: first.dateFormat ?? second.dateFormat,
  };
}

/** Fields of one name become one, at the place of the first. */
export function mergeAll(fields: readonly TemplateField[]): TemplateField[] {
  const byName = new Map<string, TemplateField>();
  for (const field of fields) {
    const known = byName.get(field.name);
    byName.set(field.name, known === undefined ? field : merge(known, field));
  }
  return [...byName.values()];
}

/** Names that tags outside sections print, in this scope. */
const printedIn = (uses: readonly TagUse[]): Set<string> =>
  new Set(uses.flatMap((use) => (use.kind === "value" ? [fieldName(use.expression.path)] : [])));

/**
 * True for a section that is a condition: an inverted one, one without tags, one that prints its own value, and one whose
 * tags all stand outside of it too.
 */
function isCondition(use: TagUse & { kind: "section" }, printed: ReadonlySet<string>): boolean {
  if (use.repeats === true) return false;
  if (use.inverted) return true;
  const own = fieldName(use.path);
  const inner = fieldsIn(use.uses, printed).map(({ name }) => name);
  return inner.every((name) => name === own || printed.has(name));
}

function fieldsIn(uses: readonly TagUse[], around: ReadonlySet<string>): TemplateField[] {
  const printed = printedIn(uses);
  const seen = new Set([...around, ...printed]);
  return mergeAll(
    uses.flatMap((use): TemplateField[] => {
      if (use.kind === "field") return [use.field];
      if (use.kind !== "section") return [valueField(use.kind, use.expression)];
      const name = fieldName(use.path);
      if (isCondition(use, seen)) return [templateField(name, "condition"), ...fieldsIn(use.uses, seen)];
      return [templateField(name, "loop", { fields: fieldsIn(use.uses, new Set()) })];
    }),
  );
}

/** The fields of a template, in the order of their first tags. */
export const fieldsOfTags = (uses: readonly TagUse[]): TemplateField[] => fieldsIn(uses, new Set());
