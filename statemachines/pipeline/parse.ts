/** First pass: JSON → definition. Everything that is wrong with it is told; unknown members are ignored and named. */
import { readCondition } from "./conditions.ts";
import {
  type NodeBody,
  OCR_MODES,
  PIPELINE_VERSION,
  type PipelineDefinition,
  type PipelineInput,
  type PipelineNode,
  type PipelineOcr,
} from "./definition.ts";
import { type Findings, isObject, type Json, type JsonObject, pointTo, quote } from "./diagnostics.ts";
import { Members } from "./members.ts";
import { kindOf, NODE_TYPES } from "./nodes/kinds.ts";
import type { DefinitionChecks, NodeFrame, NodeScope } from "./nodes/node.ts";

export const MOST_NODES = 100;
const MOST_CONCURRENT = 100;
const DEFAULT_CONCURRENT = 10;
const MOST_NAMES = 100;
const LONGEST_STEP_SECONDS = 300;
const ID = /^[A-Za-z0-9_-]{1,128}$/;
const ID_RULE = { most: 128, pattern: ID, what: "1 to 128 letters, digits, - or _" };

/** @returns undefined when it has faults, which are told */
export function parseDefinition(
  given: unknown,
  findings: Findings,
  checks: DefinitionChecks,
): PipelineDefinition | undefined {
  if (!isObject(given)) {
    findings.fault("wrong-type", "", "A pipeline is a JSON object");
    return undefined;
  }
  const members = new Members(given, "", findings);
  readVersion(members);
  const concurrency = members.object("concurrency");
  const execution = members.object("execution");
  const resources = readResources(members);
  const nodes = readNodes(members, new Set(Object.keys(resources)), checks);
  const modes = ["inline", "queue"] as const;
  const definition: PipelineDefinition = {
    version: PIPELINE_VERSION,
    description: members.text("description", { most: 10_000 }) ?? null,
    ocr: readOcr(members.object("ocr")),
    maxNodes:
      concurrency?.integer("maxNodes", 1, MOST_CONCURRENT) ??
      members.integer("maxNodes", 1, MOST_CONCURRENT) ??
      DEFAULT_CONCURRENT,
    execution: execution?.oneOf("mode", modes) ?? members.oneOf("executionMode", modes) ?? "inline",
    resources: Object.freeze(resources),
    inputs: Object.freeze(readInputs(members)),
    nodes: Object.freeze(nodes),
    finals: readFinals(members),
  };
  concurrency?.warnOfOthers();
  execution?.warnOfOthers();
  members.warnOfOthers();
  return findings.faults.length > 0 ? undefined : Object.freeze(definition);
}

function readVersion(members: Members): void {
  const version = members.text("version", { most: 100 });
  if (version === undefined || version === PIPELINE_VERSION) return;
  members.fault("version", "unknown-version", `The version must be ${quote(PIPELINE_VERSION)}, or be left out`);
}

function readOcr(ocr: Members | undefined): PipelineOcr {
  const read = Object.freeze({
    mode: ocr?.oneOf("mode", OCR_MODES) ?? null,
    sourceLocations: ocr?.flag("sourceLocations") ?? false,
    qualityArtifact: ocr?.flag("qualityArtifact") ?? false,
    extractFigures: ocr?.flag("extractFigures") ?? false,
    describeFigures: ocr?.flag("describeFigures") ?? false,
  });
  ocr?.warnOfOthers();
  return read;
}

function readResources(members: Members): Record<string, JsonObject> {
  const found = members.list("resources", MOST_NAMES);
  const resources = new Map<string, JsonObject>();
  found?.items.forEach((item, at) => {
    const path = pointTo(members.at("resources"), at);
    if (!isObject(item)) {
      members.findings.fault("wrong-type", path, 'A resource is an object with an "id"');
      return;
    }
    const own = new Members(item, path, members.findings);
    const id = own.text("id", ID_RULE);
    if (item.id === undefined) own.fault("id", "missing", 'A resource needs an "id"');
    if (id === undefined) return;
    if (resources.has(id)) own.fault("id", "duplicate-id", `There are two resources with the id ${quote(id)}`);
    resources.set(id, item);
  });
  return Object.fromEntries(resources);
}

function readInputs(members: Members): Record<string, PipelineInput> {
  const inputs = members.object("inputs");
  const names = inputs?.names() ?? [];
  if (names.length > MOST_NAMES) members.fault("inputs", "too-many", `There may be at most ${MOST_NAMES} inputs`);
  return Object.fromEntries(
    names.slice(0, MOST_NAMES).flatMap((name): [string, PipelineInput][] => {
      const read = readInput(inputs?.raw(name) ?? null, pointTo(members.at("inputs"), name), members.findings);
      return read === undefined ? [] : [[name, Object.freeze(read)]];
    }),
  );
}

function readInput(value: Json, path: string, findings: Findings): PipelineInput | undefined {
  if (!isObject(value) || value.kind === undefined) return { kind: "literal", value, pointer: null };
  const own = new Members(value, path, findings);
  const pointer =
    own.text("pointer", { most: 1000, pattern: /^(?:\/.*)?$/s, what: "a JSON Pointer, which begins with /" }) ?? null;
  if (value.kind === "literal") return { kind: "literal", value: value.value ?? null, pointer };
  if (value.kind === "nodeArtifact") {
    const nodeId = own.text(["nodeId", "node"], ID_RULE);
    if (own.take("nodeId", "node") === undefined) own.fault("nodeId", "missing", 'This input needs a "nodeId"');
    return nodeId === undefined ? undefined : { kind: "nodeArtifact", nodeId, pointer };
  }
  const shown = typeof value.kind === "string" ? quote(value.kind) : "That";
  return own.fault("kind", "unknown-kind", `${shown} is no kind of input; there are literal and nodeArtifact`);
}

function readFinals(members: Members): PipelineDefinition["finals"] {
  const found = members.list(["finals", "finalOrder"], MOST_NODES);
  if (found === undefined) return null;
  const path = members.at(found.name);
  const finals = found.items.flatMap((item, at) => {
    const own = pointTo(path, at);
    const id = isObject(item) ? item.node : item;
    const place = isObject(item) ? pointTo(own, "node") : own;
    if (typeof id === "string") return [Object.freeze({ id, path: place })];
    members.findings.fault("invalid-final", place, 'A candidate names a node: {"node": "its id"}');
    return [];
  });
  if (found.items.length === 0) members.fault(found.name, "too-few", "There must be a candidate for the public result");
  return Object.freeze(finals);
}

function readNodes(members: Members, resources: ReadonlySet<string>, checks: DefinitionChecks): PipelineNode[] {
  const found = members.list("nodes", MOST_NODES);
  if (found === undefined) {
    if (members.take("nodes") === undefined) members.fault("nodes", "missing", 'A pipeline needs "nodes"');
    return [];
  }
  if (found.items.length === 0) members.fault("nodes", "too-few", "A pipeline needs at least one node");
  const nodeIds = new Set(
    found.items.flatMap((item) => (isObject(item) && typeof item.id === "string" ? [item.id] : [])),
  );
  const scope: NodeScope = { nodeIds, resources, checks };
  const seen = new Set<string>();
  return found.items.flatMap((item, index): PipelineNode[] => {
    const path = pointTo(members.at("nodes"), index);
    if (!isObject(item)) {
      members.findings.fault("wrong-type", path, 'A node is an object with an "id" and a "type"');
      return [];
    }
    const own = new Members(item, path, members.findings);
    const frame = readFrame(own, index, seen);
    const body = readBody(own, scope);
    own.warnOfOthers();
    return frame === undefined || body === undefined ? [] : [Object.freeze({ ...frame, ...body })];
  });
}

function readFrame(members: Members, index: number, seen: Set<string>): NodeFrame | undefined {
  const id = members.text("id", ID_RULE);
  if (members.take("id") === undefined) members.fault("id", "missing", 'A node needs an "id"');
  if (id !== undefined && seen.has(id)) {
    members.fault("id", "duplicate-id", `There are two nodes with the id ${quote(id)}`);
  }
  if (id !== undefined) seen.add(id);
  const when = members.take("when");
  const frame = {
    index,
    dependsOn: Object.freeze(readDependencies(members)),
    when: (when && readCondition(when.value, members.at("when"), members.findings)) ?? null,
    onError: members.oneOf("onError", ["fail", "continue"]) ?? "fail",
    timeoutSeconds: members.integer("timeoutSeconds", 1, LONGEST_STEP_SECONDS) ?? null,
  } as const;
  return id === undefined ? undefined : { id, ...frame };
}

function readDependencies(members: Members): string[] {
  const found = members.list("dependsOn", MOST_NODES);
  return (found?.items ?? []).filter((item, at): item is string => {
    if (typeof item === "string") return true;
    members.findings.fault("wrong-type", pointTo(members.at("dependsOn"), at), "A dependency is a node's id");
    return false;
  });
}

function readBody(members: Members, scope: NodeScope): NodeBody | undefined {
  const type = members.oneOf("type", NODE_TYPES);
  if (type === undefined) {
    if (members.take("type") === undefined) {
      members.fault("type", "missing", `A node needs a "type": ${NODE_TYPES.join(", ")}`);
    }
    return undefined;
  }
  return kindOf(type).read(members, scope);
}
