/** Starts an operation on the job, like POST /operation, as a child job. */
import { isObject, type Json, type JsonObject, pointTo, quote } from "../diagnostics.ts";
import type { MemberReader } from "../members.ts";
import { readTemplate, type Template } from "../templates.ts";
import { type DefinitionChecks, type NodeKind, readTier, type Tier } from "./node.ts";

export interface OperationNode {
  readonly type: "operation";
  readonly operation: string;
  /** `customParameters`. */
  readonly config: Readonly<JsonObject>;
  /** An object here provides defaults for the configuration. */
  readonly input: Template | null;
  readonly tier: Tier;
}

const EXPECTED_SECONDS = 8;

/** Checks the parameters like POST /operation, as far as the definition holds their values. */
function checkParameters(
  name: string,
  config: JsonObject,
  input: Template | null,
  members: MemberReader,
  checks: DefinitionChecks,
): void {
  const beside = input?.kind === "object" ? input.members : [];
  const written = beside.flatMap(([own, value]): [string, Json][] =>
    value.kind === "literal" ? [[own, value.value]] : [],
  );
  const later = new Set(beside.flatMap(([own, { kind }]) => (kind === "literal" ? [] : [own])));
  const comesLater = (own: string): boolean => input?.kind === "path" || later.has(own);
  for (const { name: own, message } of checks.parameters(
    name,
    { ...Object.fromEntries(written), ...config },
    comesLater,
  )) {
    const place = written.some(([other]) => other === own) && !Object.hasOwn(config, own) ? "input" : "config";
    members.findings.fault(
      "invalid-parameter",
      pointTo(members.at(place), own),
      `The parameter ${quote(own)} ${message}`,
    );
  }
}

export const operation: NodeKind<OperationNode> = {
  computes: false,
  expectedSeconds: () => EXPECTED_SECONDS,
  read(members, { nodeIds, checks }) {
    const name = members.text("operation", { maxLength: 128 });
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
    checkParameters(known, isObject(given?.value) ? given.value : {}, template ?? null, members, checks);
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
