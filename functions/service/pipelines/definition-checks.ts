/** Checks that the pipeline compiler takes from other rooms: schemas, formulas, operations. */
import type { DefinitionChecks } from "../../../statemachines/pipeline/nodes/node.ts";
import { readCalculatedFields } from "../../engine/schema/formulas/calculated-fields.ts";
import { formulaSchema } from "../../engine/schema/formulas/formula-schema.ts";
import { unescapeStep } from "../../engine/schema/json-pointer.ts";
import { schemaFault } from "../../engine/schema/schema-fault.ts";
import { parseUserSchema } from "../../engine/schema/user-schema.ts";
import { OPERATION_TYPES } from "../operations/operation-types.ts";
import { findOperationFaults } from "../operations/parameter-specs.ts";

export const DEFINITION_CHECKS: DefinitionChecks = {
  schema(schema) {
    const parsed = parseUserSchema(schema);
    if ("fault" in parsed) return `The schema is not a valid JSON Schema: ${parsed.fault}`;
    const fault = schemaFault(parsed.schema);
    if (fault !== undefined) return `The schema ${fault}`;
    const calculated = readCalculatedFields(parsed.schema);
    return "faults" in calculated ? calculated.faults[0]?.message : undefined;
  },
  formulas(formulas) {
    const calculated = readCalculatedFields(formulaSchema(formulas));
    const [fault] = "faults" in calculated ? calculated.faults : [];
    if (fault === undefined) return undefined;
    return { name: unescapeStep(fault.path.split("/")[2] ?? ""), message: fault.message };
  },
  operationTypes: OPERATION_TYPES,
  parameters: findOperationFaults,
};
