/**
 * Background work in the deployment: the queue, its consumer with its own rights, and the executions that wait for it.
 */
import { randomUUID } from "node:crypto";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SFNClient,
  StartExecutionCommand,
} from "@aws-sdk/client-sfn";
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

const WAIT_TIMEOUT_MS = 60_000;
const { clientOptions = {}, outputs = {} } = JSON.parse(process.env.SHEAF_E2E_AWS ?? "{}");

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + WAIT_TIMEOUT_MS; ; ) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > end) throw new Error("It never came to that");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe.skipIf(REMOTE_URL === undefined)("background work in the deployment", () => {
  const s3 = new S3Client({ ...clientOptions, forcePathStyle: true });
  const sqs = new SQSClient({ ...clientOptions });
  const sfn = new SFNClient({ ...clientOptions });
  let target: TestService;
  beforeAll(async () => {
    target = await startTestService();
  });
  afterAll(() => {
    for (const client of [s3, sqs, sfn]) client.destroy();
  });

  /** The keys of a job's files, below its own prefix. */
  async function filesOf(guid: string): Promise<string[]> {
    const prefix = `org/${target.keys.organizationId}/jobs/${guid}/`;
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: outputs.BucketName, Prefix: prefix }));
    return Contents.map(({ Key = "" }) => Key.slice(prefix.length)).sort();
  }

  /** The work queue; queues of nodes have other names, and dead letters have no work. */
  async function workQueue(): Promise<string> {
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
    for (const QueueUrl of QueueUrls.filter((url) => /\/Sheaf-Work/.test(url))) {
      const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["RedrivePolicy"] });
      const { Attributes = {} } = await sqs.send(asked);
      if (Attributes.RedrivePolicy !== undefined) return QueueUrl;
    }
    throw new Error("The stack has no work queue");
  }

  /** The document machine of the stack. */
  async function documentMachine() {
    const { stateMachines = [] } = await sfn.send(new ListStateMachinesCommand({}));
    const { stateMachineArn } = stateMachines.find(({ name }) => name === "Sheaf-document") ?? {};
    return sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
  }

  /** A document that was uploaded to its own address, and not yet accepted. */
  async function announced(): Promise<string> {
    const { json } = await target.api.post("/document/upload-url", { json: { mimeType: "text/plain", size: 5 } });
    const { uploadUrl, method, headers } = json;
    expect((await fetch(uploadUrl, { method, headers, body: "hello" })).status).toBe(200);
    return json.guid;
  }

  it("documents run on the stack's own machine", async () => {
    const { guid } = await target.api.processed("Total: 12.00 EUR", {});
    const { stateMachineArn } = await documentMachine();
    const { executions = [] } = await sfn.send(new ListExecutionsCommand({ stateMachineArn, maxResults: 1000 }));
    expect(executions.map(({ name }) => name)).toContain(`${guid}-1`);
  });

  it("the files of a deleted job are deleted after the answer", async () => {
    const { guid } = await target.api.processed("Total: 12.00 EUR", {});
    expect(await filesOf(guid)).toEqual(expect.arrayContaining(["source", "1/result.json"]));
    expect((await target.api.delete(`/job/${guid}`)).json).toEqual({ jobsDeleted: 1, errors: [] });
    await until(async () => ((await filesOf(guid)).length === 0 ? true : undefined));
  });

  it("a machine's Task that waits for work continues when it is done", async () => {
    const QueueUrl = await workQueue();
    const work = {
      "kind.$": "$.kind",
      "guid.$": "$.guid",
      organizationId: target.keys.organizationId,
      "taskToken.$": "$$.Task.Token",
    };
    const definition = {
      StartAt: "Wait",
      States: {
        Wait: {
          Type: "Task",
          Resource: "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
          Parameters: { QueueUrl, MessageBody: work },
          TimeoutSeconds: WAIT_TIMEOUT_MS / 1000,
          End: true,
        },
      },
    };
    const { stateMachineArn } = await sfn.send(
      new CreateStateMachineCommand({
        // The rights to answer cover only the stack's own machines.
        name: `Sheaf-test-${randomUUID()}`,
        definition: JSON.stringify(definition),
        roleArn: (await documentMachine()).roleArn,
      }),
    );
    const guid = await announced();
    expect(await filesOf(guid)).toEqual(["upload"]);
    const input = JSON.stringify({ kind: "delete-upload", guid });
    const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn, input }));
    const execution = await until(async () => {
      const described = await sfn.send(new DescribeExecutionCommand({ executionArn }));
      return described.status === "RUNNING" ? undefined : described;
    });
    expect(execution).toMatchObject({ status: "SUCCEEDED", output: "null" });
    expect(await filesOf(guid)).toEqual([]);
  });
});
