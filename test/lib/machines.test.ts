/** The machines that the stack makes itself, and what their callers know of them. */
import { describe, expect, it } from "vitest";
import { stepFunctions } from "../../bin/cloud/parts.ts";
import { openStores } from "../../bin/cloud/platform.ts";
import { emitDefinition } from "../../functions/adapters/aws/workflows-machine.ts";
import type { StateMachineDefinition } from "../../functions/core/ports.ts";
import { BUILT_IN_MACHINES } from "../../statemachines/built-in.ts";
import { STEPS } from "../../statemachines/steps.ts";
import { functionOf, functions, resources, stack, text } from "../support/template.ts";

const machines = Object.entries(resources("AWS::StepFunctions::StateMachine")).map(([id, one]) => ({ id, ...one }));
const PLACE = { partition: "aws", region: "eu-central-1", accountId: "123456789012" };
const arnOf = (step: string) => `arn:aws:lambda:eu-central-1:123456789012:function:${stack.machinePrefix}${step}`;

/** As CloudFormation gives it to Step Functions. */
function deployed({ DefinitionString, DefinitionSubstitutions }: Record<string, unknown>): string {
  const functionIds = new Map(STEPS.map((step) => [`${functionOf(`the step ${step} of a run`).id}.Arn`, arnOf(step)]));
  const known: Record<string, string> = {
    "AWS::Partition": PLACE.partition,
    "AWS::Region": PLACE.region,
    "AWS::AccountId": PLACE.accountId,
  };
  const values = Object.entries(DefinitionSubstitutions as Record<string, unknown>).map(([name, value]) => {
    const given = text(value);
    return [
      name,
      functionIds.get(given) ?? known[given] ?? (given.startsWith("StorageFiles") ? "files" : given),
    ] as const;
  });
  return values.reduce((all, [name, value]) => all.replaceAll(`\${${name}}`, value), String(DefinitionString));
}

describe("the built-in machines", () => {
  it("are deployed as a driver would make them, and leave no variable open", () => {
    const steps = Object.fromEntries(STEPS.map((step) => [step, arnOf(step)]));
    const settings = { ...PLACE, namePrefix: "", roleArn: "", steps, bucket: "files" };
    expect(machines).toHaveLength(Object.keys(BUILT_IN_MACHINES).length);
    for (const [name, make] of Object.entries(BUILT_IN_MACHINES)) {
      const one = machines.find(({ Properties }) => Properties.StateMachineName === `${stack.machinePrefix}${name}`);
      const made = emitDefinition(make() as unknown as StateMachineDefinition, settings);
      expect(deployed(one?.Properties ?? {}), name).toBe(made);
      expect(made).not.toContain("${");
    }
  });

  it("keep their names when they change, so that a release ends nothing that runs", () => {
    for (const { Properties } of machines) expect(Properties.StateMachineName).toMatch(/^Sheaf-[a-z]+$/);
  });

  it("write every state to one log, never what it was given, and are traced", () => {
    for (const { Properties } of machines) {
      const { Destinations, ...logging } = Properties.LoggingConfiguration as { Destinations: unknown[] };
      expect(logging).toEqual({ Level: "ALL", IncludeExecutionData: false });
      const [{ CloudWatchLogsLogGroup }] = Destinations as [{ CloudWatchLogsLogGroup: { LogGroupArn: unknown } }];
      const log = text(CloudWatchLogsLogGroup.LogGroupArn).replace(/\.Arn$/, "");
      expect(resources("AWS::Logs::LogGroup")[log]?.Properties.LogGroupName).toBe("/aws/vendedlogs/states/Sheaf");
      expect(Properties.TracingConfiguration).toEqual({ Enabled: true });
    }
  });

  it("are there before what starts them", () => {
    const { DependsOn } = resources("AWS::IAM::Role")[
      text(functionOf("the API's documents").properties.Role).replace(/\.Arn$/, "")
    ] as unknown as { DependsOn: string[] };
    expect(DependsOn).toEqual(expect.arrayContaining(machines.map(({ id }) => id)));
  });
});

describe("who starts machines", () => {
  const environment = {
    AWS_REGION: PLACE.region,
    SHEAF_METRICS: "Sheaf",
    SHEAF_TABLE: "records",
    SHEAF_BUCKET: "files",
    SHEAF_MACHINE_PREFIX: stack.machinePrefix,
    SHEAF_MACHINE_ROLE: "arn:aws:iam::123456789012:role/machines",
    SHEAF_MACHINE_LOG: "/aws/vendedlogs/states/Sheaf",
    SHEAF_NODE_QUEUES: "{}",
  };

  it("takes a built-in machine for the deployed one, without asking anybody", async () => {
    const workflows = stepFunctions(openStores(environment));
    for (const [name, make] of Object.entries(BUILT_IN_MACHINES)) {
      const machine = await workflows.ensureMachine(make() as unknown as StateMachineDefinition);
      expect(machine).toBe(`${stack.machinePrefix}${name}`);
    }
  });

  it("finds every step's function by its name", () => {
    for (const step of STEPS) {
      const { properties } = functionOf(`the step ${step} of a run`);
      expect(properties.FunctionName).toBe(`${stack.machinePrefix}${step}`);
    }
    for (const { description, properties } of functions) {
      if (!description.includes("of a run")) expect(properties.FunctionName, description).toBeUndefined();
    }
  });
});
