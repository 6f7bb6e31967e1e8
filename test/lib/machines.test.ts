/** The machines of the stack, its work queues, and the environment of the functions that use them. */
import { describe, expect, it } from "vitest";
import { stepFunctions } from "../../bin/cloud/parts.ts";
import { openStores } from "../../bin/cloud/platform.ts";
import { emitDefinition } from "../../functions/adapters/aws/workflows-machine.ts";
import { MAX_RECEIVES, NODE_QUEUES, WEBHOOK_QUEUE, WORK_QUEUE } from "../../functions/ports/queue.ts";
import type { StateMachineDefinition } from "../../functions/ports/workflows.ts";
import { BUILT_IN_MACHINES } from "../../statemachines/built-in.ts";
import { MAX_NODES } from "../../statemachines/pipeline/parse.ts";
import { STEPS } from "../../statemachines/steps.ts";
import { functionOf, functions, resources, stack, template, text } from "../support/template.ts";

const machines = Object.entries(resources("AWS::StepFunctions::StateMachine")).map(([id, one]) => ({ id, ...one }));
const PLACE = { partition: "aws", region: "eu-central-1", accountId: "123456789012" };
const arnOf = (step: string) => `arn:aws:lambda:eu-central-1:123456789012:function:${stack.machinePrefix}${step}`;

/** The definition as CloudFormation passes it to Step Functions. */
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
  it("equal those of a driver, with all variables substituted", () => {
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

  it("keep their names when they change, so that a release does not end running executions", () => {
    for (const { Properties } of machines) expect(Properties.StateMachineName).toMatch(/^Sheaf-[a-z-]+$/);
  });

  it("log every state without its input, and are traced", () => {
    for (const { Properties } of machines) {
      const { Destinations, ...logging } = Properties.LoggingConfiguration as { Destinations: unknown[] };
      expect(logging).toEqual({ Level: "ALL", IncludeExecutionData: false });
      const [{ CloudWatchLogsLogGroup }] = Destinations as [{ CloudWatchLogsLogGroup: { LogGroupArn: unknown } }];
      const log = text(CloudWatchLogsLogGroup.LogGroupArn).replace(/\.Arn$/, "");
      expect(resources("AWS::Logs::LogGroup")[log]?.Properties.LogGroupName).toBe("/aws/vendedlogs/states/Sheaf");
      expect(Properties.TracingConfiguration).toEqual({ Enabled: true });
    }
  });

  it("exist before the functions that start them", () => {
    const { DependsOn } = resources("AWS::IAM::Role")[
      text(functionOf("the API's documents").properties.Role).replace(/\.Arn$/, "")
    ] as unknown as { DependsOn: string[] };
    expect(DependsOn).toEqual(expect.arrayContaining(machines.map(({ id }) => id)));
  });
});

describe("a function that starts machines", () => {
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

  it("knows the deployed name of a built-in machine without a call", async () => {
    const workflows = stepFunctions(openStores(environment));
    for (const [name, make] of Object.entries(BUILT_IN_MACHINES)) {
      const machine = await workflows.ensureMachine(make() as unknown as StateMachineDefinition);
      expect(machine).toBe(`${stack.machinePrefix}${name}`);
    }
  });

  it("knows the function of every step by its name", () => {
    for (const step of STEPS) {
      const { properties } = functionOf(`the step ${step} of a run`);
      expect(properties.FunctionName).toBe(`${stack.machinePrefix}${step}`);
    }
    for (const { description, properties } of functions) {
      if (!description.includes("of a run")) expect(properties.FunctionName, description).toBeUndefined();
    }
  });
});

const idOfQueue = (prefix: string): string =>
  Object.keys(resources("AWS::SQS::Queue")).find((id) => id.startsWith(prefix)) ?? "";

describe.each([
  { prefix: "WorkQueue", does: "works off the queue", concurrency: 10 },
  { prefix: "WorkWebhooks", does: "sends webhooks", concurrency: 20 },
])("the queue $prefix", ({ prefix, does, concurrency }) => {
  const queues = resources("AWS::SQS::Queue");
  const id = idOfQueue(prefix);
  const { Properties } = queues[id] ?? { Properties: {} };
  const consumer = functionOf(does);

  it("gives up after the port's number of deliveries, and keeps dead letters longer than messages", () => {
    const { deadLetterTargetArn, maxReceiveCount } = Properties.RedrivePolicy as Record<string, unknown>;
    expect(maxReceiveCount).toBe(MAX_RECEIVES);
    const dead = queues[text(deadLetterTargetArn).replace(/\.Arn$/, "")]?.Properties;
    expect(Number(dead?.MessageRetentionPeriod)).toBeGreaterThan(Number(Properties.MessageRetentionPeriod));
    const watched = Object.values(resources("AWS::CloudWatch::Alarm")).map(({ Properties: alarm }) => alarm.MetricName);
    expect(watched).toContain("ApproximateAgeOfOldestMessage");
  });

  it("has one consumer with limited concurrency, and each message fails alone", () => {
    const mappings = Object.values(resources("AWS::Lambda::EventSourceMapping")).filter(
      ({ Properties: one }) => text(one.EventSourceArn) === `${id}.Arn`,
    );
    expect(mappings).toHaveLength(1);
    const mapping = mappings[0]?.Properties ?? {};
    expect(text(mapping.FunctionName)).toBe(consumer.id);
    expect(mapping).toMatchObject({
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      ScalingConfig: { MaximumConcurrency: concurrency },
    });
    expect(Number(Properties.VisibilityTimeout)).toBeGreaterThanOrEqual(6 * Number(consumer.properties.Timeout));
  });
});

describe("the queues of work and webhooks", () => {
  it("are in the environment of their senders and of their consumers", () => {
    for (const { description, properties } of functions) {
      const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
      const uses =
        /the API's (documents|cases|jobs|templates|settings)$|works off the queue$|sends webhooks$|step (?:(?:batch-)?settle|operate-node) of|keeps the API keys$|ended badly$/.test(
          description,
        );
      if (description.includes("works off the nodes")) continue;
      expect(Variables.SHEAF_QUEUES !== undefined, description).toBe(uses);
      if (!uses) continue;
      const addresses = JSON.parse(text(Variables.SHEAF_QUEUES));
      expect(addresses).toMatchObject({
        [WORK_QUEUE]: { url: idOfQueue("WorkQueue") },
        [WEBHOOK_QUEUE]: { url: idOfQueue("WorkWebhooks") },
      });
    }
  });
});

/** The quota of concurrent executions that AWS gives an account by default, and the most of a queue's event source. */
const ACCOUNT_EXECUTIONS = 1000;

describe("the queues of nodes", () => {
  const queues = resources("AWS::SQS::Queue");
  const own = Object.entries(queues).filter(
    ([id, { Properties }]) => id.startsWith("Nodes") && Properties.RedrivePolicy !== undefined,
  );

  it("exist for each tier, each with a consumer that takes one node at a time", () => {
    expect(own).toHaveLength(Object.keys(NODE_QUEUES).length);
    const mappings = Object.values(resources("AWS::Lambda::EventSourceMapping")).map(({ Properties }) => Properties);
    const concurrency: number[] = [];
    for (const [tier, name] of Object.entries(NODE_QUEUES)) {
      const worker = functionOf(`works off the nodes of the tier ${tier}`);
      const mapping = mappings.find(({ FunctionName }) => text(FunctionName) === worker.id);
      expect(mapping).toMatchObject({ BatchSize: 1, FunctionResponseTypes: ["ReportBatchItemFailures"] });
      const scaling = mapping?.ScalingConfig as { MaximumConcurrency?: number } | undefined;
      concurrency.push(Number(scaling?.MaximumConcurrency));
      const { Variables } = worker.properties.Environment as { Variables: Record<string, unknown> };
      expect(Variables.SHEAF_NODE_QUEUE).toBe(name);
      const { url } = JSON.parse(text(Variables.SHEAF_QUEUES))[name] as { url: string };
      expect(text(mapping?.EventSourceArn)).toBe(`${url}.Arn`);
      // A dead worker holds its node only as long as it could have worked on it.
      const { VisibilityTimeout, RedrivePolicy } = queues[url]?.Properties ?? {};
      expect(Number(VisibilityTimeout)).toBeGreaterThan(Number(worker.properties.Timeout));
      expect(RedrivePolicy).toMatchObject({ maxReceiveCount: MAX_RECEIVES });
    }
    // All nodes of the widest pipeline at once, as in inline mode.
    expect(Math.min(...concurrency)).toBeGreaterThanOrEqual(2 * MAX_NODES);
    expect(concurrency.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(ACCOUNT_EXECUTIONS);
  });

  it("are in the environment of functions that create machines", () => {
    for (const ending of ["the API's documents", "keeps the API keys"]) {
      const { Variables } = functionOf(ending).properties.Environment as { Variables: Record<string, unknown> };
      expect(Object.keys(JSON.parse(text(Variables.SHEAF_NODE_QUEUES)))).toEqual(Object.keys(NODE_QUEUES));
    }
  });

  it("are a setting, possibly empty, of all functions that use machines", () => {
    const looking = functions.flatMap(({ description, properties }) => {
      const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
      return Variables.SHEAF_MACHINE_PREFIX === undefined ? [] : [{ description, Variables }];
    });
    expect(looking.length).toBeGreaterThan(6);
    for (const { description, Variables } of looking) {
      for (const name of ["SHEAF_MACHINE_ROLE", "SHEAF_MACHINE_LOG", "SHEAF_NODE_QUEUES"]) {
        expect(Variables, description).toHaveProperty(name);
      }
    }
  });
});

it("have dead letters with an alarm at the first one, and an output with their address", () => {
  const queues = Object.entries(resources("AWS::SQS::Queue"));
  const dead = queues.flatMap(([id, { Properties }]) => (Properties.RedrivePolicy === undefined ? [id] : []));
  expect(dead).toHaveLength(3);
  const alarms = Object.values(resources("AWS::CloudWatch::Alarm")).map(({ Properties }) => Properties);
  const named = Object.values(template.findOutputs("*")).map(({ Value }) => JSON.stringify(Value));
  for (const id of dead) {
    const QueueName = JSON.stringify({ "Fn::GetAtt": [id, "QueueName"] });
    const own = alarms.find(({ Dimensions = [] }) => JSON.stringify(Dimensions).includes(QueueName));
    expect(own, id).toMatchObject({ MetricName: "ApproximateNumberOfMessagesVisible", Threshold: 1 });
    expect(named).toContain(JSON.stringify({ Ref: id }));
  }
});
