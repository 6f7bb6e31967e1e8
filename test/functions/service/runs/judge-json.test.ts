/** Schemas and definitions of any size are judged alike; long ones in the engine. */
import { afterAll, describe, expect, it } from "vitest";
import { judgeSchemaTask } from "../../../../functions/engine/tasks/judge-schema.ts";
import type { Engine } from "../../../../functions/ports/engine.ts";
import { bindOrganization } from "../../../../functions/service/organizations/organization.ts";
import { validatePipeline } from "../../../../functions/service/pipelines/check-definition.ts";
import { checkSchema } from "../../../../functions/service/runs/judge-json.ts";
import { directEngine } from "../../../support/engines.ts";
import { testPlatform } from "../../../support/platform.ts";

const at = testPlatform();
afterAll(() => at.close());

const asked: { task: string; payload: unknown }[] = [];
at.platform.engines.documents = {
  run(task, payload, limits) {
    asked.push({ task: task.name, payload });
    return directEngine.run(task, payload, limits);
  },
  close: async () => undefined,
} satisfies Engine;

const org = bindOrganization(at.platform, 1);

const schema = (chars: number, type = "string") => ({ properties: { a: { type, title: "t".repeat(chars) } } });
const pipeline = (chars: number, output: unknown) => ({
  description: "d".repeat(9_000),
  nodes: [
    { id: "a", type: "extract", schema: schema(chars) },
    { id: "end", type: "final", output },
  ],
});

describe("a check of JSON", () => {
  it("is done here up to the limit", async () => {
    asked.length = 0;
    expect(await checkSchema(org, schema(60_000))).toEqual({ valid: true });
    expect(await validatePipeline(org, pipeline(1_000, "$nodes.a"))).toMatchObject({ errors: [], outline: {} });
    expect(asked).toEqual([]);
  });

  it("is done by the engine above it, with the text alone and the same judgement", async () => {
    asked.length = 0;
    const large = schema(70_000);
    expect(await checkSchema(org, large)).toEqual({ valid: true });
    expect(await checkSchema(org, JSON.stringify(large))).toEqual({ valid: true });
    expect(await checkSchema(org, schema(70_000, "x"))).toMatchObject({
      valid: false,
      fault: expect.stringMatching(/type/),
    });
    expect(await validatePipeline(org, pipeline(70_000, "$nodes.a.result"))).toMatchObject({
      errors: [],
      outline: {
        nodes: [
          { id: "a", type: "extract" },
          { id: "end", dependsOn: ["a"] },
        ],
        finals: ["end"],
      },
    });
    expect(await validatePipeline(org, pipeline(70_000, "$nodes.b"))).toMatchObject({
      errors: [{ code: "unknown-node" }],
    });
    expect(asked.map(({ task }) => task)).toEqual([
      ...Array<string>(3).fill("judgeSchema"),
      ...Array<string>(2).fill("judgePipeline"),
    ]);
    expect(asked[0]?.payload).toEqual({ text: JSON.stringify(large) });
  });

  it("that does not end is refused with a sentence", () => {
    expect(judgeSchemaTask.lost?.("deadline")).toMatchObject({
      kind: "UnprocessableEntity",
      message: "The schema could not be checked: checking it takes too long; send a simpler one",
    });
  });
});
