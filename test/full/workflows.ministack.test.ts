/**
 * The contract of Workflows on the Step Functions driver, over HTTP against the emulator, whose recorded differences
 * are asserted; and the behaviour of the service's own integrations.
 */
import { randomUUID } from "node:crypto";
import { CreateFunctionCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { SFNClient } from "@aws-sdk/client-sfn";
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endedExecution } from "../../functions/adapters/aws/execution-status.ts";
import { openStepFunctions } from "../../functions/adapters/aws/workflows.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Execution, StateMachineDefinition } from "../../functions/ports/workflows.ts";
import { WORKFLOW_DIFFERENCES, type WorkflowDifference } from "../contract/differences.ts";
import { row, single, task } from "../contract/workflows.machines.ts";
import { workflowsSuite } from "../contract/workflows.suite.ts";
import { startMinistack } from "../support/ministack.ts";
import { serveSteps } from "../support/remote-steps.ts";

const ACCOUNT = "000000000000";
const REGION = "us-east-1";

/** A custom runtime (AWS Lambda's Runtime API): returns its event, or fails with the error in it. */
const CUSTOM_RUNTIME = `#!/usr/bin/env python3
import json, os
from urllib.request import Request, urlopen
API = "http://" + os.environ["AWS_LAMBDA_RUNTIME_API"] + "/2018-06-01/runtime/invocation/"
while True:
    with urlopen(API + "next") as call:
        id, event = call.headers["Lambda-Runtime-Aws-Request-Id"], json.load(call)
    kind, answer = "response", {"given": event}
    if "error" in event:
        kind, answer = "error", {"errorType": event["error"], "errorMessage": "it broke"}
    urlopen(Request(API + id + "/" + kind, json.dumps(answer).encode())).read()
`;

const emulator = await startMinistack();
const clock = systemClock();
const records = openRecords(":memory:", { clock });
const client = new SFNClient({ ...emulator?.clientOptions });
const sqs = new SQSClient({ ...emulator?.clientOptions });
const lambda = new LambdaClient({ ...emulator?.clientOptions });
afterAll(async () => {
  client.destroy();
  sqs.destroy();
  lambda.destroy();
  records.close();
  await emulator?.close();
});

const arnOf = (name: string): string => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
const open = (steps: readonly string[] = ["step"]) =>
  openStepFunctions({
    client,
    records,
    clock,
    accountId: ACCOUNT,
    region: REGION,
    roleArn: `arn:aws:iam::${ACCOUNT}:role/machines`,
    steps: Object.fromEntries(steps.map((step) => [step, arnOf(step)])),
    namePrefix: "sheaf-",
  });
const workflows = open();

/** Creates a function; with `url`, that address answers its invocations. */
async function makeFunction(FunctionName: string, url?: string): Promise<void> {
  const ZipFile = zipSync({ bootstrap: [new TextEncoder().encode(CUSTOM_RUNTIME), { os: 3, attrs: 0o100755 << 16 }] });
  await lambda.send(
    new CreateFunctionCommand({
      FunctionName,
      Runtime: "provided.al2023",
      Handler: "bootstrap",
      Role: `arn:aws:iam::${ACCOUNT}:role/steps`,
      Timeout: 20,
      Code: { ZipFile },
      ...(url === undefined ? {} : { Environment: { Variables: { MINISTACK_LAMBDA_PROXY_URL: url } } }),
    }),
  );
}

/** A request to a service without a client here. */
async function ask(service: string, path: string, body: unknown, target?: string): Promise<void> {
  const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/${service}/aws4_request, SignedHeaders=host, Signature=0`;
  const response = await fetch(`${emulator?.url}${path}`, {
    method: "POST",
    headers: {
      authorization,
      ...(target ? { "x-amz-target": target, "content-type": "application/x-amz-json-1.1" } : {}),
    },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.text()).toBe(true);
}

const newName = (): string => `test-${randomUUID()}`;

async function ended(name: string): Promise<Execution> {
  for (;;) {
    const execution = await workflows.describe(name);
    if (execution !== undefined && execution.status !== "RUNNING") return execution;
    await clock.sleep(20);
  }
}

async function begin(definition: StateMachineDefinition, input: Json): Promise<string> {
  const name = newName();
  expect(await workflows.start(await workflows.ensureMachine(definition), name, input)).toEqual({ started: true });
  return name;
}

const run = async (definition: StateMachineDefinition, input: Json) => ended(await begin(definition, input));

describe.skipIf(emulator === undefined)("Step Functions on the emulator", () => {
  workflowsSuite({
    name: "Step Functions",
    lookMilliseconds: 100,
    differences: Object.keys(WORKFLOW_DIFFERENCES) as WorkflowDifference[],
    async make(steps) {
      const remote = await serveSteps(steps);
      for (const step of Object.keys(steps)) await makeFunction(step, remote.urlOf(step));
      return { workflows: open(Object.keys(steps)), close: remote.close };
    },
  });

  beforeAll(() => makeFunction("step"));

  it("creates a machine once, also from another process", async () => {
    const name = await workflows.ensureMachine(single(task("step")));
    expect(await open().ensureMachine(single(task("step")))).toBe(name);
    expect(await workflows.ensureMachine(single(task("step", { Comment: "other" })))).not.toBe(name);
  });

  it("calls the steps, and reports its end", async () => {
    const input = { text: "ä✓", list: [1, null] };
    const execution = await run(single(task("step")), input);
    expect(execution).toMatchObject({ status: "SUCCEEDED", input, output: { given: input } });
    expect(execution).not.toHaveProperty("error");
    const took = Date.parse(execution.stoppedAt ?? "") - Date.parse(execution.startedAt);
    expect(took).toBeGreaterThanOrEqual(0);
    expect(took).toBeLessThan(20_000);

    const failed = await run(single(task("step")), { error: "Refused" });
    expect(failed).toMatchObject({ status: "FAILED", error: "Refused" });
    expect(JSON.parse(failed.cause ?? "")).toMatchObject({ errorType: "Refused", errorMessage: "it broke" });
    expect(failed).not.toHaveProperty("output");

    const caught = task("step", { Catch: [{ ErrorEquals: ["Refused"], ResultPath: "$.failure", Next: "Caught" }] });
    const machine = row({ Try: caught, Caught: { Type: "Pass" } });
    const output = { error: "Refused", failure: { Error: "Refused" } };
    expect(await run(machine, { error: "Refused" })).toMatchObject({ status: "SUCCEEDED", output });
  });

  it("returns the history in pages, in order and without data", async () => {
    const states = Array.from({ length: 600 }, (_, index) => [`S${index}`, { Type: "Pass" }]);
    const { name } = await run(row(Object.fromEntries(states)), { secret: "do not keep" });
    const first = await workflows.history(name);
    expect(first.events).toHaveLength(1000);
    const second = await workflows.history(name, { cursor: first.cursor ?? "" });
    expect(second).not.toHaveProperty("cursor");
    const events = [...first.events, ...second.events];
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter((event) => event.type === "PassStateEntered").map((event) => event.stateName)).toEqual(
      states.map(([state]) => state),
    );
    expect(events.at(-1)?.type).toBe("ExecutionSucceeded");
    expect(JSON.stringify(events)).not.toContain("do not keep");
    await expect(workflows.history(name, { cursor: "nonsense" })).rejects.toMatchObject({ kind: "BadRequest" });
  });

  it("sends an event about an end", async () => {
    const { QueueUrl = "" } = await sqs.send(new CreateQueueCommand({ QueueName: "ends" }));
    const pattern = {
      source: ["aws.states"],
      "detail-type": ["Step Functions Execution Status Change"],
      detail: { status: ["FAILED", "TIMED_OUT", "ABORTED"] },
    };
    await ask("events", "/", { Name: "ends", EventPattern: JSON.stringify(pattern) }, "AWSEvents.PutRule");
    const Targets = [{ Id: "queue", Arn: `arn:aws:sqs:${REGION}:${ACCOUNT}:ends` }];
    await ask("events", "/", { Rule: "ends", Targets }, "AWSEvents.PutTargets");

    await run(single({ Type: "Pass" }), {});
    const failed = await run(single(task("step")), { error: "Refused", guid: "g" });
    const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 10 });
    const { Messages = [] } = await sqs.send(receive);
    const nobody = { describe: () => Promise.reject(new Error("Nobody should ask")) };
    const ends = await Promise.all(Messages.map(({ Body = "" }) => endedExecution(JSON.parse(Body), nobody)));
    // Delivered at least once, and an execution of an earlier test may end only now.
    expect(ends.map((end) => end?.status)).not.toContain("SUCCEEDED");
    const own = ends.filter((end) => end?.name === failed.name);
    const [told] = own;
    expect(own).toEqual(own.map(() => told));
    expect(told).toMatchObject({ name: failed.name, machine: failed.machine, status: "FAILED", input: failed.input });
    expect(Date.parse(told?.startedAt ?? "")).toBeCloseTo(Date.parse(failed.startedAt), -4);
  });
});
