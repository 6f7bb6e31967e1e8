/** Computes the calculated fields of a reduced result again, after some of its values became null. */
import { isObject, type Json, type JsonObject, own, setOwn } from "../../../ports/json.ts";
import { fillCalculated, readCalculatedFields } from "../../schema/formulas/calculated-fields.ts";
import type { RecordForm } from "./record-form.ts";

/** A reduced result's form, and the schema of its header where that has one of its own. */
export interface ReducedForm {
  form: RecordForm;
  headerSchema?: Json;
}

function fill(data: Json, schema: Json | undefined): void {
  const calculated = schema === undefined ? undefined : readCalculatedFields(schema);
  if (calculated !== undefined && "fields" in calculated) fillCalculated(data, calculated);
}

/** Computes the formulas of `{header, records}`, in place. */
export function recalculate(result: Json, { form, headerSchema }: ReducedForm): void {
  if (!isObject(result)) return;
  const header = own(result, "header") ?? null;
  fill(header, headerSchema);
  if (form.kind !== "list") return;
  const beside = isObject(header) ? Object.entries(header).filter(([name]) => form.rest.includes(name)) : [];
  const container: JsonObject = { ...Object.fromEntries(beside), [form.list]: own(result, "records") ?? [] };
  fill(container, form.whole);
  if (!isObject(header)) return;
  for (const [name, value] of Object.entries(container))
    if (name !== form.list && Object.hasOwn(header, name)) setOwn(header, name, value);
}
