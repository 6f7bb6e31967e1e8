/** Makes a value from others, without a model. */
import { type Findings, isObject, type Json, type JsonObject, pointTo } from "../diagnostics.ts";
import type { MemberReader } from "../members.ts";
import { readTemplate, type Template } from "../templates.ts";
import type { DefinitionChecks, NodeKind } from "./node.ts";

export const TRANSFORMS = ["pick", "merge", "template", "dedupe", "sort", "lookup", "calculate"] as const;
export type Transform = (typeof TRANSFORMS)[number];

export interface TransformNode {
  readonly type: "transform";
  readonly transform: Transform;
  readonly input: Template;
  readonly config: Readonly<JsonObject>;
}

interface ConfigPlace {
  path: string;
  findings: Findings;
  checks: DefinitionChecks;
}

const isText = (value: Json | undefined): value is string => typeof value === "string" && value !== "";
const isOptional = (value: Json | undefined, is: (value: Json) => boolean): boolean =>
  value === undefined || value === null || is(value);

/** Checks one member of a configuration. */
type ConfigRule = (config: JsonObject, place: ConfigPlace) => void;

const requireMember =
  (name: string, is: (value: Json | undefined) => boolean, what: string): ConfigRule =>
  (config, { path, findings }) => {
    if (!is(Object.hasOwn(config, name) ? config[name] : undefined))
      findings.fault("invalid-config", pointTo(path, name), `"${name}" must be ${what}`);
  };

const isTextMap = (value: Json | undefined): value is Record<string, string> =>
  isObject(value) && Object.keys(value).length > 0 && Object.values(value).every((one) => typeof one === "string");

const CONFIG_RULES: Record<Transform, readonly ConfigRule[]> = {
  pick: [
    requireMember(
      "fields",
      (fields) => Array.isArray(fields) && fields.length > 0 && fields.every(isText),
      "a list of names",
    ),
  ],
  merge: [requireMember("deep", (deep) => isOptional(deep, (one) => typeof one === "boolean"), "true or false")],
  template: [requireMember("text", (text) => typeof text === "string", "a text with {{path}} in it")],
  dedupe: [requireMember("key", isText, "the name of a member")],
  sort: [
    requireMember("by", isText, "the name of a member"),
    requireMember(
      "order",
      (order) => isOptional(order, (one) => typeof one === "string" && ["asc", "desc"].includes(one.toLowerCase())),
      "asc or desc",
    ),
  ],
  lookup: [requireMember("table", isObject, "an object")],
  calculate: [
    requireMember("formulas", isTextMap, "an object of names and formulas"),
    ({ formulas }, { path, findings, checks }) => {
      const objection = isTextMap(formulas) ? checks.formulas(formulas) : undefined;
      if (objection === undefined) return;
      findings.fault("invalid-formula", pointTo(pointTo(path, "formulas"), objection.name), objection.message);
    },
  ],
};

const CONFIG_MEMBERS: Record<Transform, readonly string[]> = {
  pick: ["fields"],
  merge: ["deep"],
  template: ["text"],
  dedupe: ["key"],
  sort: ["by", "order"],
  lookup: ["table", "default"],
  calculate: ["formulas"],
};

function readConfig(members: MemberReader, kind: Transform | undefined, checks: DefinitionChecks): JsonObject {
  const own = members.object("config");
  if (kind === undefined || !members.isFit("config")) return {};
  const given = members.take("config")?.value;
  const config = isObject(given) ? given : {};
  const place = { path: members.at("config"), findings: members.findings, checks };
  for (const rule of CONFIG_RULES[kind]) rule(config, place);
  own?.know(...CONFIG_MEMBERS[kind]);
  own?.warnOfOthers();
  return config;
}

export const transform: NodeKind<TransformNode> = {
  computes: true,
  expectedSeconds: () => 0,
  read(members, { nodeIds, checks }) {
    const kind = members.oneOf("transform", TRANSFORMS);
    if (members.take("transform") === undefined) {
      members.fault("transform", "missing", `A transform node needs a "transform": ${TRANSFORMS.join(", ")}`);
    }
    const input = members.raw("input");
    // A template may consist of paths alone.
    if (input === undefined && kind !== "template") {
      members.fault("input", "missing", 'A transform node needs an "input"');
    }
    const config = readConfig(members, kind, checks);
    const template = readTemplate(input ?? null, members.at("input"), { members, nodeIds });
    if (kind === undefined || template === undefined) return undefined;
    return Object.freeze({ type: "transform", transform: kind, input: template, config: Object.freeze(config) });
  },
  templates: ({ input }) => [{ member: "input", template: input }],
};
