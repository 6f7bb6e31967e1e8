/** The stack in a region of each partition of AWS: no ARN names another one. */
import { describe, expect, it } from "vitest";
import { cloudApp } from "../../bin/cloud.ts";
import { REGIONS } from "../support/asl-linters.ts";
import { context, templateOf } from "../support/template.ts";

/** The partitions of all ARNs that a template writes out. */
const partitionsIn = (template: unknown): string[] => [
  ...new Set([...JSON.stringify(template).matchAll(/\barn:([a-z-]+):/g)].map(([, partition = ""]) => partition)),
];

describe("a template for one region", () => {
  it.each(Object.entries(REGIONS))("names only ARNs of the partition %s", (partition, region) => {
    const { stack } = cloudApp({ ...context, "aws:cdk:bundling-stacks": [] }, { account: "000000000000", region });
    const template = templateOf(stack).toJSON();
    expect(partitionsIn(template)).toEqual([partition]);
    const machines = Object.values(templateOf(stack).findResources("AWS::StepFunctions::StateMachine"));
    const definitions = machines.map(({ Properties }) => String(Properties.DefinitionString));
    expect(definitions.join("")).toContain("arn:${partition}:states:::states:startExecution.sync:2");
    for (const { Properties } of machines) {
      const { partition: named } = Properties.DefinitionSubstitutions as { partition?: string };
      if (String(Properties.DefinitionString).includes("${partition}")) expect(named).toBe(partition);
    }
  });
});

describe("a template for any region", () => {
  it("names no partition", () => {
    const { stack } = cloudApp({ ...context, "aws:cdk:bundling-stacks": [] });
    expect(partitionsIn(templateOf(stack).toJSON())).toEqual([]);
  });
});
