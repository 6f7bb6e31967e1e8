/** An operation on the job, as POST /operation starts it; it becomes a child job. */
import { isObject, type JsonObject, quote } from "../diagnostics.ts";
import { readTemplate, type Template } from "../templates.ts";
import { type NodeKind, readTier, type Tier } from "./node.ts";

export interface OperationNode {
  readonly type: "operation";
  readonly operation: string;
  /** customParameters. */
  readonly config: Readonly<JsonObject>;
  /** An object is merged under the configuration. */
  readonly input: Template | null;
  readonly tier: Tier;
}

const SECONDS = 8;

export const operation: NodeKind<OperationNode> = {
  computes: false,
  expected: () => SECONDS,
  read(members, { nodeIds, checks }) {
    const name = members.text("operation", { most: 128 });
    if (members.take("operation") === undefined) {
      members.fault("operation", "missing", 'An operation node needs an "operation"');
    }
    const known = checks.operationTypes.find((one) => one === name?.toLowerCase().replaceAll("_", "-"));
    if (name !== undefined && known === undefined) {
      const types = checks.operationTypes.join(", ");
      members.fault("operation", "unknown-operation", `Invalid operation type: ${quote(name)}; there are ${types}`);
    }
    const given = members.take("config");
    if (given !== undefined && !isObject(given.value))
      members.fault("config", "wrong-type", '"config" must be an object');
    const input = members.raw("input");
    const template = input === undefined ? null : readTemplate(input, members.at("input"), { members, nodeIds });
    if (known === undefined) return undefined;
    return Object.freeze({
      type: "operation",
      operation: known,
      config: Object.freeze(isObject(given?.value) ? given.value : {}),
      input: template ?? null,
      tier: readTier(members) ?? "default",
    });
  },
  templates: ({ input }) => (input === null ? [] : [{ member: "input", template: input }]),
};
