/** The tools of an extract node's model. */
import { isObject, type Json, type JsonObject, pointTo, quote } from "../diagnostics.ts";
import type { MemberReader } from "../members.ts";
import type { NodeScope } from "./node.ts";

const SEARCH_TOOL_TYPE = "KNOWLEDGE_BASE_SEARCH";
const MAX_TOOLS = 20;
const MAX_PASSAGES = 50;

/** Accepts a whole number, also as a text of digits. */
const isWholeNumberUpTo = (value: Json | undefined, most: number): boolean => {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\s*\d{1,15}\s*$/.test(value));
  return isNumber && Number.isSafeInteger(Number(value)) && Number(value) >= 1 && Number(value) <= most;
};

const configOf = ({ config }: JsonObject): JsonObject => (isObject(config) ? config : {});

class ToolReader {
  readonly #members: MemberReader;
  readonly #scope: NodeScope;
  /** The resource of tools that name none. */
  readonly #otherwise: JsonObject | undefined;

  constructor(members: MemberReader, scope: NodeScope) {
    this.#members = members;
    this.#scope = scope;
    const named = members.text("resource", { maxLength: 128 });
    this.#otherwise = named === undefined ? undefined : this.#resource(named, members.at("resource"));
  }

  read(tool: Json, path: string): JsonObject | undefined {
    const { findings } = this.#members;
    if (!isObject(tool) || typeof tool.type !== "string") {
      findings.fault("invalid-tool", path, 'A tool is an object with a "type"');
      return undefined;
    }
    if (tool.type.toUpperCase().replaceAll("-", "_") !== SEARCH_TOOL_TYPE) {
      findings.fault(
        "unknown-tool",
        pointTo(path, "type"),
        `There is no tool ${quote(tool.type)}; there is ${SEARCH_TOOL_TYPE}`,
      );
      return undefined;
    }
    const place = tool.resource === undefined ? pointTo(path, "config") : path;
    const named = tool.resource ?? configOf(tool).resource ?? null;
    const resource = named === null ? this.#otherwise : this.#resource(named, pointTo(place, "resource"));
    if (named !== null && resource === undefined) return undefined;
    const whole = resource === undefined ? tool : mergeResource(resource, tool);
    this.#check(whole, path, configOf(tool).topK === undefined && tool.topK !== undefined);
    return whole;
  }

  #resource(named: Json, place: string): JsonObject | undefined {
    const found = typeof named === "string" ? this.#scope.resources.get(named) : undefined;
    const shown = typeof named === "string" ? quote(named) : "That";
    if (found === undefined) {
      this.#members.findings.fault("unknown-resource", place, `${shown} is no declared resource`);
    }
    return found;
  }

  /** Members may be in `config` or beside `type`; `config` wins. */
  #check(tool: JsonObject, path: string, isBeside: boolean): void {
    const { findings } = this.#members;
    const config = configOf(tool);
    const knowledge = config.caseId ?? config.knowledgeBaseId ?? tool.caseId ?? tool.knowledgeBaseId;
    if (!isWholeNumberUpTo(knowledge, Number.MAX_SAFE_INTEGER)) {
      const place = pointTo(pointTo(path, "config"), "caseId");
      findings.fault("invalid-tool", place, 'A tool needs a "caseId": a case\'s id, or its digits');
    }
    if (isWholeNumberUpTo(config.topK ?? tool.topK ?? 1, MAX_PASSAGES)) return;
    const place = isBeside ? path : pointTo(path, "config");
    findings.fault("invalid-tool", pointTo(place, "topK"), `"topK" must be a whole number from 1 to ${MAX_PASSAGES}`);
  }
}

/** Members of a resource that its tools take over; it has as many others as its author likes, and many tools. */
const TOOL_MEMBERS = ["caseId", "knowledgeBaseId", "topK"];

const toolMembers = (from: JsonObject): JsonObject =>
  Object.fromEntries(
    TOOL_MEMBERS.flatMap((name): [string, Json][] => {
      const value = Object.hasOwn(from, name) ? from[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Merges a resource under a tool; the tool's own members win, in `config` or beside it. */
function mergeResource(resource: JsonObject, tool: JsonObject): JsonObject {
  const { type: _kind, resource: _resource, config: _config, ...beside } = tool;
  const below = { ...toolMembers(resource), ...toolMembers(configOf(resource)) };
  return Object.freeze({ ...toolMembers(resource), ...tool, config: { ...below, ...beside, ...configOf(tool) } });
}

/** Reads `tools`, and the `resource` of tools that name none. */
export function readTools(members: MemberReader, scope: NodeScope): JsonObject[] {
  const reader = new ToolReader(members, scope);
  const found = members.list("tools", MAX_TOOLS);
  return (found?.items ?? []).flatMap((item, at) => {
    const tool = reader.read(item, pointTo(members.at("tools"), at));
    return tool === undefined ? [] : [tool];
  });
}
