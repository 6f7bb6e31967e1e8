/** Names of written fields: each once, and none with a full stop, which parts the names of a form's tree. */
import type { FieldDefinition } from "../field-definition.ts";

/** Most characters of a name: viewers and clients show it whole. */
const MAX_NAME_CHARACTERS = 120;
const UNNAMED = "field";

const plainName = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .replaceAll(".", "_")
    .trim()
    .slice(0, MAX_NAME_CHARACTERS)
    .trim() || UNNAMED;

/** Radio buttons with the same key are one field; any other definition is a field of its own. */
const groupKey = ({ fieldType, group, fieldName }: FieldDefinition): string | undefined =>
  fieldType === "radio" ? (group ?? fieldName) : undefined;

/** The wanted name of each radio group: the one that its buttons share, else the group's. */
function namesOfGroups(definitions: readonly FieldDefinition[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const definition of definitions) {
    const key = groupKey(definition);
    if (key === undefined) continue;
    const known = names.get(key);
    names.set(key, known === undefined || known === definition.fieldName ? definition.fieldName : key);
  }
  return names;
}

class UsedNames {
  readonly #used: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#used = new Set(taken);
  }

  /** The name itself, or with the first free number. */
  claim(wanted: string): string {
    const plain = plainName(wanted);
    let name = plain;
    for (let number = 2; this.#used.has(name); number += 1) name = `${plain}_${number}`;
    this.#used.add(name);
    return name;
  }
}

/**
 * Gives each definition the name of its field.
 * @param taken full names of fields that the document has already
 * @returns the definitions with their names, and a sentence for each name that had to change
 */
export function nameFields(
  definitions: readonly FieldDefinition[],
  taken: Iterable<string>,
): { named: FieldDefinition[]; notes: string[] } {
  const used = new UsedNames(taken);
  const groups = namesOfGroups(definitions);
  const namesByGroup = new Map<string, string>();
  const notes: string[] = [];
  const claim = (wanted: string): string => {
    const name = used.claim(wanted);
    if (name !== wanted)
      notes.push(`The field name "${wanted}" is "${name}" in the form, as names are unique and plain`);
    return name;
  };
  const named = definitions.map((definition) => {
    if (definition.source === "widget") return definition;
    const key = groupKey(definition);
    if (key === undefined) return { ...definition, fieldName: claim(definition.fieldName) };
    const known = namesByGroup.get(key) ?? claim(groups.get(key) ?? key);
    namesByGroup.set(key, known);
    return { ...definition, fieldName: known };
  });
  return { named, notes };
}
