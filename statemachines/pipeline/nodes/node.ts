/** What all nodes have, and how a kind of node is described. */
import type { Condition } from "../conditions.ts";
import type { Json, JsonObject } from "../diagnostics.ts";
import type { MemberReader } from "../members.ts";
import type { Template } from "../templates.ts";

export const TIERS = ["nano", "mini", "default", "high"] as const;
export type Tier = (typeof TIERS)[number];

export interface NodeFrame {
  readonly id: string;
  /** Where it stands in the definition, from 0. */
  readonly index: number;
  readonly dependsOn: readonly string[];
  readonly when: Condition | null;
  readonly onError: "fail" | "continue";
  readonly timeoutSeconds: number | null;
}

/** What the readers of a kind of node are given. */
export interface NodeScope {
  /** Ids of all nodes. */
  nodeIds: ReadonlySet<string>;
  /** Those that are declared, by id. */
  resources: ReadonlyMap<string, JsonObject>;
  checks: DefinitionChecks;
}

/** What is known outside of this room; each gives a sentence when it has an objection. */
export interface DefinitionChecks {
  schema(schema: Json): string | undefined;
  formulas(formulas: Readonly<Record<string, string>>): { name: string; message: string } | undefined;
  operationTypes: readonly string[];
  /** Faults of an operation's parameters, of which some are known only when it runs, by their names. */
  parameters(
    operation: string,
    given: Readonly<JsonObject>,
    comesLater: (name: string) => boolean,
  ): readonly { name: string; message: string }[];
}

/** One file a kind. */
export interface NodeKind<Own> {
  /** Whether it only computes: then it takes no place among those that run at once, and no time. */
  computes: boolean;
  /** Seconds that it is expected to take. */
  expectedSeconds(own: Own): number;
  /** Reads the members of its own; undefined when there are faults, which are told. */
  read(members: MemberReader, scope: NodeScope): Own | undefined;
  /** References that add a dependency. */
  templates(own: Own): readonly { member: string; template: Template }[];
}

const MAX_PROMPT_CHARACTERS = 100_000;

export const readPrompt = (members: MemberReader): string | undefined =>
  members.text("prompt", { maxLength: MAX_PROMPT_CHARACTERS });

/** `llm.tier`, or `llm_tier` beside it; `llm` may hold more. */
export function readTier(members: MemberReader): Tier | undefined {
  const beside = members.oneOf("llm_tier", TIERS);
  const inside = members.object("llm")?.oneOf("tier", TIERS);
  if (inside !== undefined && beside !== undefined) members.ignore("llm_tier", `${members.at("llm")}/tier`);
  return inside ?? beside;
}

/** A JSON Schema, also as a text that holds one. */
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
