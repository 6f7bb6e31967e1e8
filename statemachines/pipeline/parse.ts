/** First pass: JSON → definition. Reports all faults; warns about unknown members and ignores them. */
import { ConditionReader } from "./conditions.ts";
import {
  OCR_MODES,
  PIPELINE_VERSION,
  type PipelineDefinition,
  type PipelineInput,
  type PipelineNode,
  type PipelineOcr,
} from "./definition.ts";
import { type Findings, isObject, type Json, type JsonObject, pointTo, quote } from "./diagnostics.ts";
import { MemberReader } from "./members.ts";
import { kindOf, NODE_TYPES, type NodeBody } from "./nodes/kinds.ts";
import type { DefinitionChecks, NodeFrame, NodeScope } from "./nodes/node.ts";
import { literal } from "./templates.ts";

export const MAX_NODES = 100;
const DEFAULT_CONCURRENT_NODES = 10;
const MAX_DECLARATIONS = 100;
const MAX_INPUT_NAME_CHARACTERS = 128;
/** The time of a run. A longer timeout of a node is cut to it. */
const MAX_NODE_SECONDS = 300;
const MAX_DEFINITION_DEPTH = 200;
const ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/;
/** Source: RFC 6901. */
const JSON_POINTER_PATTERN = /^(?:\/(?:[^~/]|~[01])*)*$/;
const ID_RULE = { maxLength: 128, pattern: ID_PATTERN, description: "1 to 128 letters, digits, - or _" };

/** Limits the depth to MAX_DEFINITION_DEPTH, so that later passes may recurse. */
function isShallow(whole: Json): boolean {
  let level: Json[] = [whole];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEFINITION_DEPTH) return false;
    level = level.flatMap((value) => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []));
  }
  return true;
}

/**
 * @returns undefined when there are no nodes to check. Faulty parts, which are reported, are replaced by placeholders,
 * so that references are still checked.
 */
export function parseDefinition(
  given: unknown,
  findings: Findings,
  checks: DefinitionChecks,
): PipelineDefinition | undefined {
  if (!isObject(given)) {
    findings.fault("wrong-type", "", "A pipeline is a JSON object");
    return undefined;
  }
  if (!isShallow(given)) {
    findings.fault("too-deep", "", `A pipeline may be nested at most ${MAX_DEFINITION_DEPTH} levels deep`);
    return undefined;
  }
  const members = new MemberReader(given, "", findings);
  readVersion(members);
  const resources = readResources(members);
  const nodes = readNodes(members, resources, checks);
  const definition: PipelineDefinition = {
    version: PIPELINE_VERSION,
    description: members.text("description", { maxLength: 10_000 }) ?? null,
    ocr: readOcr(members.object("ocr")),
    maxNodes: readMaxNodes(members),
    execution: readExecution(members),
    resources: Object.freeze(Object.fromEntries(resources)),
    inputs: Object.freeze(readInputs(members)),
    nodes: Object.freeze(nodes ?? []),
    finals: readFinals(members),
  };
  members.warnOfOthers();
  return nodes === undefined ? undefined : Object.freeze(definition);
}

function readMaxNodes(members: MemberReader): number {
  const own = members.object("concurrency");
  const inside = own?.integer("maxNodes", 1, Number.MAX_SAFE_INTEGER);
  const beside = members.integer("maxNodes", 1, Number.MAX_SAFE_INTEGER);
  if (inside !== undefined && beside !== undefined) members.ignore("maxNodes", "/concurrency/maxNodes");
  own?.warnOfOthers();
  return inside ?? beside ?? DEFAULT_CONCURRENT_NODES;
}

function readExecution(members: MemberReader): PipelineDefinition["execution"] {
  const modes = ["inline", "queue"] as const;
  const own = members.object("execution");
  const inside = own?.oneOf("mode", modes);
  const beside = members.oneOf("executionMode", modes);
  if (inside !== undefined && beside !== undefined) members.ignore("executionMode", "/execution/mode");
  own?.warnOfOthers();
  return inside ?? beside ?? "inline";
}

function readVersion(members: MemberReader): void {
  const version = members.text("version", { maxLength: 100 });
  if (version === undefined || version === PIPELINE_VERSION) return;
  members.fault("version", "unknown-version", `The version must be ${quote(PIPELINE_VERSION)}, or be left out`);
}

function readOcr(ocr: MemberReader | undefined): PipelineOcr {
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

function readResources(members: MemberReader): Map<string, JsonObject> {
  const found = members.list("resources", MAX_DECLARATIONS);
  const resources = new Map<string, JsonObject>();
  found?.items.forEach((item, at) => {
    const path = pointTo(members.at("resources"), at);
    if (!isObject(item)) {
      members.findings.fault("wrong-type", path, 'A resource is an object with an "id"');
      return;
    }
    const own = new MemberReader(item, path, members.findings);
    const id = own.text("id", ID_RULE);
    if (item.id === undefined) own.fault("id", "missing", 'A resource needs an "id"');
    if (id === undefined) return;
    if (resources.has(id)) own.fault("id", "duplicate-id", `There are two resources with the id ${quote(id)}`);
    resources.set(id, item);
  });
  return resources;
}

function readInputs(members: MemberReader): Record<string, PipelineInput> {
  const inputs = members.object("inputs");
  const names = inputs?.names() ?? [];
  if (names.length > MAX_DECLARATIONS)
    members.fault("inputs", "too-many", `There may be at most ${MAX_DECLARATIONS} inputs`);
  if (names.some((name) => name.length > MAX_INPUT_NAME_CHARACTERS)) {
    // Not at the input's own pointer, which would repeat the long name.
    members.fault(
      "inputs",
      "too-long",
      `The name of an input may have at most ${MAX_INPUT_NAME_CHARACTERS} characters`,
    );
  }
  return Object.fromEntries(
    names.slice(0, MAX_DECLARATIONS).map((name): [string, PipelineInput] => {
      if (name.length > MAX_INPUT_NAME_CHARACTERS) return [name, { kind: "literal", value: null, pointer: null }];
      const read = readInput(inputs?.raw(name) ?? null, pointTo(members.at("inputs"), name), members.findings);
      return [name, Object.freeze(read)];
    }),
  );
}

function readInput(value: Json, path: string, findings: Findings): PipelineInput {
  if (!isObject(value) || value.kind === undefined) return { kind: "literal", value, pointer: null };
  const own = new MemberReader(value, path, findings);
  const pointer =
    own.text("pointer", {
      maxLength: 1000,
      pattern: JSON_POINTER_PATTERN,
      description: "a JSON Pointer, which begins with /",
    }) ?? null;
  own.know("kind");
  if (value.kind === "literal") {
    const literal = own.raw("value");
    own.warnOfOthers();
    if (literal === undefined) own.fault("value", "missing", 'A literal input needs a "value"');
    return { kind: "literal", value: literal ?? null, pointer };
  }
  if (value.kind === "nodeArtifact") {
    const nodeId = own.text("nodeId", ID_RULE);
    if (own.take("nodeId") === undefined) own.fault("nodeId", "missing", 'This input needs a "nodeId"');
    own.warnOfOthers();
    // Without an id it counts as a value, so that references to the input are not reported as well.
    return nodeId === undefined ? { kind: "literal", value: null, pointer } : { kind: "nodeArtifact", nodeId, pointer };
  }
  const shown = typeof value.kind === "string" ? quote(value.kind) : "That";
  own.fault("kind", "unknown-kind", `${shown} is no kind of input; there are literal and nodeArtifact`);
  return { kind: "literal", value: null, pointer };
}

function readFinals(members: MemberReader): PipelineDefinition["finals"] {
  const found = members.list(["finals", "finalOrder"], MAX_NODES);
  if (found === undefined) return null;
  const path = members.at(found.name);
  const finals = found.items.flatMap((item, at) => {
    const own = pointTo(path, at);
    const candidate = isObject(item) ? new MemberReader(item, own, members.findings) : undefined;
    const id = candidate === undefined ? item : candidate.raw("node");
    const place = candidate === undefined ? own : candidate.at("node");
    candidate?.warnOfOthers();
    if (typeof id === "string") return [Object.freeze({ id, path: place })];
    members.findings.fault("invalid-final", place, 'A candidate names a node: {"node": "its id"}');
    return [];
  });
  if (found.items.length === 0) members.fault(found.name, "too-few", "There must be a candidate for the public result");
  return Object.freeze(finals);
}

function readNodes(
  members: MemberReader,
  resources: ReadonlyMap<string, JsonObject>,
  checks: DefinitionChecks,
): PipelineNode[] | undefined {
  const found = members.list("nodes", MAX_NODES);
  if (found === undefined) {
    if (members.take("nodes") === undefined) members.fault("nodes", "missing", 'A pipeline needs "nodes"');
    return undefined;
  }
  if (found.items.length === 0) {
    members.fault("nodes", "too-few", "A pipeline needs at least one node");
    return undefined;
  }
  const nodeIds = new Set(
    found.items.flatMap((item) => (isObject(item) && typeof item.id === "string" ? [item.id] : [])),
  );
  const scope: NodeScope = { nodeIds, resources, checks };
  const conditions = new ConditionReader(members.findings, checks.maxConditions);
  const seen = new Set<string>();
  return found.items.map((item, index): PipelineNode => {
    const path = pointTo(members.at("nodes"), index);
    if (!isObject(item)) {
      members.findings.fault("wrong-type", path, 'A node is an object with an "id" and a "type"');
      return Object.freeze({ ...PLACEHOLDER_FRAME, index, ...PLACEHOLDER_BODY });
    }
    const own = new MemberReader(item, path, members.findings);
    const frame = readFrame(own, index, { seen, conditions });
    const body = readBody(own, scope) ?? PLACEHOLDER_BODY;
    own.warnOfOthers();
    return Object.freeze({ ...frame, ...body });
  });
}

/** Placeholders of a node that could not be read. */
const PLACEHOLDER_FRAME = {
  id: "",
  dependsOn: Object.freeze([]),
  when: null,
  onError: "fail",
  timeoutSeconds: null,
} as const;
const PLACEHOLDER_BODY: NodeBody = Object.freeze({ type: "final", output: literal(null) });

function readFrame(
  members: MemberReader,
  index: number,
  { seen, conditions }: { seen: Set<string>; conditions: ConditionReader },
): NodeFrame {
  const id = members.text("id", ID_RULE);
  if (members.take("id") === undefined) members.fault("id", "missing", 'A node needs an "id"');
  if (id !== undefined && seen.has(id)) {
    members.fault("id", "duplicate-id", `There are two nodes with the id ${quote(id)}`);
  }
  if (id !== undefined) seen.add(id);
  const when = members.take("when");
  const timeout = members.integer("timeoutSeconds", 1, Number.MAX_SAFE_INTEGER);
  if (timeout !== undefined && timeout > MAX_NODE_SECONDS) {
    const place = members.at("timeoutSeconds");
    members.findings.warn(`The node has ${MAX_NODE_SECONDS} seconds, as its run has, not the ${timeout} of ${place}`);
  }
  return {
    id: id ?? "",
    index,
    dependsOn: Object.freeze(readDependencies(members)),
    when: (when && conditions.read(when.value, members.at("when"))) ?? null,
    onError: members.oneOf("onError", ["fail", "continue"]) ?? "fail",
    timeoutSeconds: timeout === undefined ? null : Math.min(timeout, MAX_NODE_SECONDS),
  };
}

/** An empty text stands for a faulty id, which is reported. */
function readDependencies(members: MemberReader): string[] {
  const found = members.list("dependsOn", MAX_NODES);
  return (found?.items ?? []).map((item, at) => {
    if (typeof item === "string" && item !== "") return item;
    members.findings.fault("wrong-type", pointTo(members.at("dependsOn"), at), "A dependency is a node's id");
    return "";
  });
}

function readBody(members: MemberReader, scope: NodeScope): NodeBody | undefined {
  const type = members.oneOf("type", NODE_TYPES);
  if (type === undefined) {
    if (members.take("type") === undefined) {
      members.fault("type", "missing", `A node needs a "type": ${NODE_TYPES.join(", ")}`);
    }
    return undefined;
  }
  return kindOf(type).read(members, scope);
}
