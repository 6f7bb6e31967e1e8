/**
 * SQS work for waiting executions of Step Functions, over HTTP against the emulator: a machine sends work with its
 * token, and the worker answers the token.
 */
import { randomUUID } from "node:crypto";
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqsQueue } from "../../functions/adapters/aws/queue.ts";
import { openTaskTokens } from "../../functions/adapters/aws/task-tokens.ts";
import { BadRequest, ServiceUnavailable } from "../../functions/ports/errors.ts";
import type { Json } from "../../functions/ports/json.ts";
import { MAX_RECEIVES, WORK_QUEUE, type WorkQueue } from "../../functions/ports/queue.ts";
import { processMessage, type WorkHandler } from "../../functions/service/lifecycle/dispatch.ts";
import type { Platform } from "../../functions/service/organizations/organization.ts";
import { startMinistack } from "../support/ministack.ts";
import { type TestPlatform, testPlatform } from "../support/platform.ts";

const emulator = await startMinistack();
const sqs = new SQSClient({ ...emulator?.clientOptions });
const sfn = new SFNClient({ ...emulator?.clientOptions });
let at: TestPlatform;
let queue: WorkQueue;
let queueUrl: string;
afterAll(async () => {
  sqs.destroy();
  sfn.destroy();
  await at?.close();
  await emulator?.close();
});

async function makeQueue(): Promise<{ url: string; deadLetterUrl: string }> {
  const create = async (QueueName: string, Attributes: Record<string, string>): Promise<string> =>
    (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? "";
  const deadLetterUrl = await create("work-dead", {});
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetterUrl, AttributeNames: ["QueueArn"] }),
  );
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: MAX_RECEIVES });
  return { url: await create("work", { RedrivePolicy }), deadLetterUrl };
}

const handlers: Record<string, WorkHandler> = {
  echo: async (org, { said }) => ({ organization: org.id, said: said ?? null }),
  refuse: () => Promise.reject(new BadRequest("The page is not there")),
  busy: () => Promise.reject(new ServiceUnavailable("The reader is busy")),
};

/** Starts an execution that waits for work. */
async function begin(work: { [member: string]: Json }): Promise<string> {
  const Parameters = {
    QueueUrl: queueUrl,
    MessageBody: { ...work, organizationId: 7, "said.$": "$.said", "taskToken.$": "$$.Task.Token" },
    // As the machines of pipelines send their nodes: a group, on a standard queue.
    "MessageGroupId.$": "States.Format('organization-{}', $.organizationId)",
  };
  const resource = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";
  const caught = [{ ErrorEquals: ["BadRequest"], ResultPath: "$.failure", Next: "Caught" }];
  const States = {
    Wait: { Type: "Task", Resource: resource, Parameters, TimeoutSeconds: 60, Catch: caught, End: true },
    Caught: { Type: "Pass", End: true },
  };
  const { stateMachineArn } = await sfn.send(
    new CreateStateMachineCommand({
      name: `sheaf-${randomUUID()}`,
      definition: JSON.stringify({ StartAt: "Wait", States }),
      roleArn: "arn:aws:iam::000000000000:role/machines",
    }),
  );
  const started = new StartExecutionCommand({
    stateMachineArn,
    input: JSON.stringify({ said: "hällo", organizationId: 7 }),
  });
  return (await sfn.send(started)).executionArn ?? "";
}

async function ended(executionArn: string): Promise<DescribeExecutionOutput> {
  for (;;) {
    const execution = await sfn.send(new DescribeExecutionCommand({ executionArn }));
    if (execution.status !== "RUNNING") return execution;
    await at.platform.engines.clock.sleep(20);
  }
}

/** Receives and does one message; gives it back at once when it fails. @returns its number of receives */
async function once(): Promise<number> {
  const [message] = await queue.receive(WORK_QUEUE, { waitSeconds: 20 });
  if (message === undefined) throw new Error("There is no work");
  const platform: Platform = { ...at.platform, queue };
  const tokens = openTaskTokens({ client: sfn, clock: platform.engines.clock });
  await processMessage(platform, message, { handlers, tokens, heartbeatMs: 10 }).then(
    () => queue.done(message),
    () => queue.retry(message, 0),
  );
  return message.receives;
}

describe.skipIf(emulator === undefined)("an execution that waits for work", () => {
  beforeAll(async () => {
    at = testPlatform();
    const address = await makeQueue();
    queueUrl = address.url;
    const { records, engines } = at.platform;
    queue = openSqsQueue({ client: sqs, queues: { [WORK_QUEUE]: address }, records, clock: engines.clock });
  });

  it("continues with the result of the work", async () => {
    const execution = await begin({ kind: "echo" });
    expect(await once()).toBe(1);
    const { status, output = "" } = await ended(execution);
    expect([status, JSON.parse(output)]).toEqual(["SUCCEEDED", { organization: 7, said: "hällo" }]);
  });

  it("catches by name an error that no retry can fix", async () => {
    const execution = await begin({ kind: "refuse" });
    await once();
    const { status, output = "" } = await ended(execution);
    expect(status).toBe("SUCCEEDED");
    const { failure } = JSON.parse(output);
    expect(failure.Error).toBe("BadRequest");
    expect(JSON.parse(failure.Cause)).toEqual({ errorType: "BadRequest", errorMessage: "The page is not there" });
    expect(await queue.deadLetters(WORK_QUEUE)).toEqual([]);
  });

  it.each([
    ["busy", "RetryableStepError"],
    ["unheard-of", "TypeError"],
  ])("fails after all deliveries of work that is %s, which becomes a dead letter", async (kind, error) => {
    const execution = await begin({ kind });
    for (let receives = 1; receives <= MAX_RECEIVES; receives += 1) {
      expect((await sfn.send(new DescribeExecutionCommand({ executionArn: execution }))).status).toBe("RUNNING");
      expect(await once()).toBe(receives);
    }
    expect(await ended(execution)).toMatchObject({ status: "FAILED", error });
    expect(await queue.receive(WORK_QUEUE, { waitSeconds: 1 })).toEqual([]);
    const letters = await queue.deadLetters(WORK_QUEUE);
    expect(letters).toMatchObject([{ body: { kind, organizationId: 7 }, receives: MAX_RECEIVES }]);
    for (const letter of letters) await queue.done(letter);
  });

  it("continues after a worker died, as soon as the message is visible again", async () => {
    const execution = await begin({ kind: "echo" });
    // Lambda hides it for longer than a run; a worker extends it by one second, and dies.
    const [message] = await queue.receive(WORK_QUEUE, { waitSeconds: 20, visibilitySeconds: 310 });
    if (message === undefined) throw new Error("There is no work");
    await queue.retry(message, 1);
    expect(await once()).toBe(2);
    const { status, output = "" } = await ended(execution);
    expect([status, JSON.parse(output)]).toEqual(["SUCCEEDED", { organization: 7, said: "hällo" }]);
    expect(await queue.receive(WORK_QUEUE, { waitSeconds: 1 })).toEqual([]);
    expect(await queue.deadLetters(WORK_QUEUE)).toEqual([]);
  });

  it("does not turn its work into a dead letter when it has ended meanwhile", async () => {
    const execution = await begin({ kind: "echo" });
    const [message] = await queue.receive(WORK_QUEUE, { waitSeconds: 20, visibilitySeconds: 0 });
    expect(message).toBeDefined();
    await sfn.send(new StopExecutionCommand({ executionArn: execution }));
    const tokens = openTaskTokens({ client: sfn, clock: at.platform.engines.clock });
    expect(await tokens.succeed("a token that nobody waits for", null)).toBe(false);
    expect(await once()).toBeGreaterThan(1);
    expect(await queue.receive(WORK_QUEUE, { waitSeconds: 1 })).toEqual([]);
    expect(await queue.deadLetters(WORK_QUEUE)).toEqual([]);
  });
});
