/** The driver's replacement of placeholders that name machines and the bucket. */
import { describe, expect, it } from "vitest";
import { emitMachine, type MachineSettings } from "../../../../functions/adapters/aws/workflows-machine.ts";
import type { StateMachineDefinition } from "../../../../functions/ports/workflows.ts";
import {
  BATCH_STEPS,
  batchPartMachine,
  distributedBatchMachine,
  inlineBatchMachine,
} from "../../../../statemachines/batch.ts";

const SETTINGS: MachineSettings = {
  namePrefix: "Sheaf-",
  roleArn: "arn:aws:iam::123456789012:role/machines",
  steps: Object.fromEntries(
    BATCH_STEPS.map((step) => [step, `arn:aws:lambda:eu-central-1:123456789012:function:${step}`]),
  ),
  bucket: "files",
  region: "eu-central-1",
  accountId: "123456789012",
};

const emitted = (definition: unknown, settings = SETTINGS): ReturnType<typeof JSON.parse> =>
  JSON.parse(emitMachine(definition as StateMachineDefinition, settings).definition);

describe("emitMachine", () => {
  it("fills in each document machine's ARN, and the bucket that the Map reads", () => {
    const { documents } = emitted(distributedBatchMachine()).States;
    expect(documents.ItemReader.Parameters).toEqual({ Bucket: "files", "Key.$": "$.plan.list" });
    expect(documents.ItemProcessor.States.document).toMatchObject({
      Resource: "arn:aws:states:::states:startExecution.sync:2",
      Parameters: {
        "StateMachineArn.$":
          "States.Format('arn:aws:states:eu-central-1:123456789012:stateMachine:{}', $.opened.machine)",
      },
    });
    expect(documents.ItemProcessor.States.open.Resource).toBe(SETTINGS.steps["batch-open"]);
  });

  it("sends a queued node as a message of its group; a machine of an earlier release names none", () => {
    const url = "https://sqs.eu-central-1.amazonaws.com/123456789012/mini";
    const sent = (more: object) => {
      const Parameters = { node: "a", tier: "mini", ...more };
      const states = { a: { Type: "Task", Resource: "${queued-node}", Parameters, End: true } };
      return emitted({ StartAt: "a", States: states }, { ...SETTINGS, nodeQueues: { mini: url } }).States.a;
    };
    const MessageBody = { kind: "extract-node", node: "a", "taskToken.$": "$$.Task.Token" };
    const group = "States.Format('organization-{}', $.organizationId)";
    expect(sent({ "group.$": group })).toEqual({
      Type: "Task",
      Resource: "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
      Parameters: { QueueUrl: url, MessageBody, "MessageGroupId.$": group },
      End: true,
    });
    expect(sent({}).Parameters).toEqual({ QueueUrl: url, MessageBody });
  });

  it("supports other partitions", () => {
    const china = { ...SETTINGS, partition: "aws-cn", region: "cn-north-1" };
    const { part } = emitted(inlineBatchMachine("m"), china).States.documents.ItemProcessor.States;
    expect(part.Parameters.StateMachineArn).toBe("arn:aws-cn:states:cn-north-1:123456789012:stateMachine:m");
    const { document } = emitted(batchPartMachine(), china).States.documents.ItemProcessor.States;
    expect(document.Parameters["StateMachineArn.$"]).toContain("'arn:aws-cn:states:cn-north-1:123456789012:");
  });

  it("leaves texts that only resemble a placeholder, and refuses a Map reader without a bucket", () => {
    const pass = { Type: "Pass", Parameters: { StateMachineArn: "${machine:m}", Bucket: "${bucket}" }, End: true };
    expect(emitted({ StartAt: "A", States: { A: pass } }).States.A).toEqual(pass);
    const { bucket: _none, ...without } = SETTINGS;
    expect(() => emitted(distributedBatchMachine(), without)).toThrow(/file store/);
  });
});
