/** The members that all nodes have, and the interface of a kind of node. */
import type { Condition } from "../conditions.ts";
import type { Json, JsonObject } from "../diagnostics.ts";
import type { MemberReader } from "../members.ts";
import type { PipelineStep } from "../pipeline-steps.ts";
import type { Template } from "../templates.ts";

export const TIERS = ["nano", "mini", "default", "high"] as const;
export type Tier = (typeof TIERS)[number];

export interface NodeFrame {
  readonly id: string;
  /** Position in the definition, from 0. */
  readonly index: number;
  readonly dependsOn: readonly string[];
  readonly when: Condition | null;
  readonly onError: "fail" | "continue";
  readonly timeoutSeconds: number | null;
}

/** The scope in which a node is read. */
export interface NodeScope {
  /** Ids of all nodes. */
  nodeIds: ReadonlySet<string>;
  /** Declared resources by id. */
  resources: ReadonlyMap<string, JsonObject>;
  checks: DefinitionChecks;
}

/** Checks that belong to other rooms; each returns a sentence for a fault. */
export interface DefinitionChecks {
  /** Most conditions of a pipeline; absent: the language's limit. */
  maxConditions?: number;
  schema(schema: Json): string | undefined;
  formulas(formulas: Readonly<Record<string, string>>): { name: string; message: string } | undefined;
  operationTypes: readonly string[];
  /**
   * Faults of an operation's parameters, with their names; `comesLater` marks parameters that are known only at run
   * time.
   */
  parameters(
    operation: string,
    given: Readonly<JsonObject>,
    comesLater: (name: string) => boolean,
  ): readonly { name: string; message: string }[];
}

/** One file for each kind. */
export interface NodeKind<Own> {
  /** The step that runs it. */
  step: PipelineStep;
  /** True for compute nodes: they take no time and do not count towards the concurrency limit. */
  computes: boolean;
  /** Expected duration in seconds. */
  expectedSeconds(own: Own): number;
  /** Reads the kind's own members; undefined when there are faults, which are reported. */
  read(members: MemberReader, scope: NodeScope): Own | undefined;
  /** Templates whose references are dependencies. */
  templates(own: Own): readonly { member: string; template: Template }[];
}

const MAX_PROMPT_CHARACTERS = 100_000;

export const readPrompt = (members: MemberReader): string | undefined =>
  members.text("prompt", { maxLength: MAX_PROMPT_CHARACTERS });

/** `llm.tier`, or `llm_tier` beside it; `llm` may have other members. */
export function readTier(members: MemberReader): Tier | undefined {
  const beside = members.oneOf("llm_tier", TIERS);
  const inside = members.object("llm")?.oneOf("tier", TIERS);
  if (inside !== undefined && beside !== undefined) members.ignore("llm_tier", `${members.at("llm")}/tier`);
  return inside ?? beside;
}

/** A JSON Schema, as JSON or as a text that holds JSON. */
export function readSchema(members: MemberReader, { checks }: NodeScope): Json | undefined {
  const found = members.take("schema");
  if (found === undefined) return undefined;
  let schema = found.value;
  if (typeof schema === "string") {
    if (schema.trim() === "") return undefined;
    try {
      schema = JSON.parse(schema) as Json;
    } catch {
      return members.fault("schema", "invalid-schema", "The text of the schema is not valid JSON");
    }
  }
  const objection = checks.schema(schema);
  return objection === undefined ? schema : members.fault("schema", "invalid-schema", objection);
}
