/** Extracts data from a text: the document's, or another node's result. */
import { type Json, type JsonObject, pointTo } from "../diagnostics.ts";
import type { MemberReader } from "../members.ts";
import { readSource, readTemplate, type Template } from "../templates.ts";
import { type NodeKind, readPrompt, readSchema, readTier, type Tier } from "./node.ts";
import { readTools } from "./tools.ts";

export interface ExtractNode {
  readonly type: "extract";
  readonly source: Template;
  /** Given to the model in addition to the source. */
  readonly input: Template | null;
  readonly prompt: string | null;
  readonly schema: Json | null;
  /** Each merged with the resource that it names. */
  readonly tools: readonly JsonObject[];
  /** Page indexes, from 0. */
  readonly imageIndices: readonly number[] | null;
  readonly tier: Tier;
  readonly sourceLocations: boolean;
  readonly granularity: "auto" | "block" | "word";
  readonly calculatedFields: boolean;
}

const MAX_IMAGES = 100;
const EXPECTED_SECONDS_BY_TIER: Record<Tier, number> = { nano: 4, mini: 6, default: 10, high: 20 };

function readImages(members: MemberReader): number[] | null {
  // Both names are read, so that neither is reported as unknown.
  const found = members.list(["imageIndices", "images"], MAX_IMAGES);
  if (found === undefined) return null;
  const path = members.at(found.name);
  return found.items.flatMap((item, at) => {
    if (typeof item === "number" && Number.isInteger(item) && item >= 0) return [item];
    members.findings.fault("out-of-range", pointTo(path, at), "An image is named by its page's index, from 0");
    return [];
  });
}

const DEFAULT_SOURCE: Template = Object.freeze({
  kind: "path",
  root: "ocr",
  name: "",
  part: "result",
  steps: Object.freeze(["content"]),
  text: "$ocr.content",
});

export const extract: NodeKind<ExtractNode> = {
  computes: false,
  expectedSeconds: ({ tier }) => EXPECTED_SECONDS_BY_TIER[tier],
  read(members, scope) {
    const rule = { members, nodeIds: scope.nodeIds };
    const source = members.take("source");
    const input = members.raw("input");
    return Object.freeze({
      type: "extract",
      source: (source && readSource(source.value, members.at("source"), rule)) ?? DEFAULT_SOURCE,
      input: input === undefined ? null : (readTemplate(input, members.at("input"), rule) ?? null),
      prompt: readPrompt(members) ?? null,
      schema: readSchema(members, scope) ?? null,
      tools: Object.freeze(readTools(members, scope)),
      imageIndices: readImages(members),
      tier: readTier(members) ?? "default",
      sourceLocations: members.flag("sourceLocations") ?? false,
      granularity: members.oneOf("sourceLocationGranularity", ["auto", "block", "word"]) ?? "auto",
      calculatedFields: members.flag("calculatedFields") ?? true,
    });
  },
  templates: ({ source, input }) => [
    { member: "source", template: source },
    ...(input === null ? [] : [{ member: "input", template: input }]),
  ],
};
