/** Values of paths and templates in a run; the caller keeps the results. */
import { factOf } from "./conditions.ts";
import type { PipelineDefinition, PipelineInput } from "./definition.ts";
import { isObject, type Json } from "./diagnostics.ts";
import type { Path } from "./paths.ts";
import type { Template } from "./templates.ts";

export type NodeStatus = "PENDING" | "RUNNING" | "COMPLETED" | "SKIPPED" | "FAILED" | "CANCELLED";

/** The data of a run; each part is loaded when a path leads there. */
export interface EvaluationContext {
  definition: Pick<PipelineDefinition, "inputs">;
  /** A part of `$ocr`. @returns undefined for a part that the run does not have */
  ocr(part: "content" | "pages" | "quality"): Promise<Json | undefined>;
  /** `$document`. */
  document: Readonly<Record<string, Json>>;
  /** `$.metadata`. */
  metadata: Readonly<Record<string, Json>>;
  /** @returns `result` is undefined unless the node has completed */
  node(id: string): Promise<{ status: NodeStatus; result: Json | undefined }>;
}

const OCR_PARTS = ["content", "pages", "quality"] as const;

const ownMember = (value: Readonly<Record<string, Json>>, name: string): Json | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** Takes one step into a value: a member, or an entry by its index. */
export function stepInto(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d{0,8})$/.test(step) ? value[Number(step)] : undefined;
  return isObject(value) ? ownMember(value, step) : undefined;
}

const followSteps = (value: Json | undefined, steps: readonly string[]): Json | undefined =>
  steps.reduce(stepInto, value);

/** The steps of a JSON Pointer. Source: RFC 6901. */
const pointerSteps = (pointer: string | null): string[] =>
  (pointer ?? "")
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

async function inputValue(input: PipelineInput | undefined, world: EvaluationContext): Promise<Json | undefined> {
  if (input === undefined) return undefined;
  const value = input.kind === "literal" ? input.value : (await world.node(input.nodeId)).result;
  return followSteps(value, pointerSteps(input.pointer));
}

async function ocrValue(steps: readonly string[], world: EvaluationContext): Promise<Json | undefined> {
  const [first, ...rest] = steps;
  const part = OCR_PARTS.find((one) => one === first);
  if (part !== undefined) return followSteps(await world.ocr(part), rest);
  const parts = await Promise.all(
    OCR_PARTS.map(async (one): Promise<[string, Json]> => [one, (await world.ocr(one)) ?? null]),
  );
  return Object.fromEntries(parts);
}

/** @returns undefined when the path finds nothing; an explicit null is a value */
export async function resolvePath(path: Path, world: EvaluationContext): Promise<Json | undefined> {
  switch (path.root) {
    case "ocr":
      return ocrValue(path.steps, world);
    case "document":
      return ownMember(world.document, path.steps[0] ?? "");
    case "metadata":
      return followSteps(ownMember(world.metadata, path.name), path.steps);
    case "inputs": {
      const { inputs } = world.definition;
      return followSteps(
        await inputValue(Object.hasOwn(inputs, path.name) ? inputs[path.name] : undefined, world),
        path.steps,
      );
    }
    default: {
      const { status, result } = await world.node(path.name);
      return path.part === "status" ? status : followSteps(result, path.steps);
    }
  }
}

/** The value of a template; paths that find nothing give null. */
export async function evaluateTemplate(template: Template, world: EvaluationContext): Promise<Json> {
  switch (template.kind) {
    case "path":
      return (await resolvePath(template, world)) ?? null;
    case "list":
      return Promise.all(template.items.map((item) => evaluateTemplate(item, world)));
    case "object": {
      const members = template.members.map(
        async ([name, member]): Promise<[string, Json]> => [name, await evaluateTemplate(member, world)],
      );
      // fromEntries also defines a member named __proto__.
      return Object.fromEntries(await Promise.all(members));
    }
    default:
      return template.value;
  }
}

/**
 * The facts that a step returns to its machine: `f0`, `f1` … for the paths in conditions (facts.ts), null for missing
 * values.
 */
export async function lookUpFacts(
  paths: readonly Path[],
  world: EvaluationContext,
): Promise<Record<string, string | null>> {
  const facts = paths.map(async (path, at): Promise<[string, string | null]> => {
    const value = await resolvePath(path, world);
    return [`f${at}`, value === undefined ? null : factOf(value)];
  });
  return Object.fromEntries(await Promise.all(facts));
}

/** The same, with the result of a node that is not on record yet. */
export const lookUpOwnFacts = (
  paths: readonly Path[],
  world: EvaluationContext,
  { id, result }: { id: string; result: Json },
): Promise<Record<string, string | null>> =>
  lookUpFacts(paths, {
    ...world,
    node: async (other) => (other === id ? { status: "COMPLETED", result } : world.node(other)),
  });
