/** Checks that the pipeline compiler takes from the engine: schemas, formulas, parameters of operations. */
import type { DefinitionChecks } from "../../../statemachines/pipeline/nodes/node.ts";
import { readCalculatedFields } from "../schema/formulas/calculated-fields.ts";
import { formulaSchema } from "../schema/formulas/formula-schema.ts";
import { unescapeStep } from "../schema/json-pointer.ts";
import { schemaFault } from "../schema/schema-fault.ts";
import { parseUserSchema } from "../schema/user-schema.ts";
import { OPERATION_TYPES } from "./operation-types.ts";
import { findOperationFaults } from "./parameter-specs.ts";

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
