/** All built-in machines against two linters, and against rules that both linters miss. */

import { describe, expect, it } from "vitest";
import { SEND_RETRY, START_RETRY, STEP_RETRY } from "../../statemachines/asl.ts";
import {
  BATCH_STEPS,
  batchPartMachine,
  distributedBatchMachine,
  inlineBatchMachine,
} from "../../statemachines/batch.ts";
import { DOCUMENT_STEPS, documentMachine } from "../../statemachines/document.ts";
import { OPERATION_STEPS, operationMachine, readOperationMachine } from "../../statemachines/operation.ts";
import {
  arn,
  type Definition,
  emitted,
  languageServiceFaults,
  REGIONS,
  validatorFaults,
} from "../support/asl-linters.ts";
import { aslFaults } from "../support/asl-rules.ts";

const STEPS = [...DOCUMENT_STEPS, ...BATCH_STEPS, ...OPERATION_STEPS];

/** Every machine of this release; those of pipelines are in pipeline/. */
const MACHINES: Record<string, unknown> = {
  document: documentMachine(),
  batch: distributedBatchMachine(),
  "batch on one machine": inlineBatchMachine("Sheaf-part"),
  "part of a batch": batchPartMachine(),
  operation: operationMachine(),
  "operation after reading": readOperationMachine(),
};

describe.each(Object.entries(MACHINES))("the machine %s", (_name, source) => {
  const definition = emitted(source, STEPS);

  it("passes asl-validator", () => {
    expect(validatorFaults(definition)).toEqual([]);
  });

  it("passes the language service of the AWS editor", async () => {
    expect(await languageServiceFaults(definition)).toEqual([]);
  });

  it.each(Object.keys(REGIONS))("follows the rules that both linters miss in the partition %s", (partition) => {
    expect(aslFaults(emitted(source, STEPS, partition), partition)).toEqual([]);
  });
});

const task = (more: Definition = {}): Definition => ({
  Type: "Task",
  Resource: arn("recognize"),
  Retry: STEP_RETRY,
  End: true,
  ...more,
});
const START = "arn:aws:states:::states:startExecution.sync:2";
const SEND = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";
const machine = (state: Definition, more: Definition = {}): Definition => ({
  StartAt: "one",
  States: { one: state },
  ...more,
});

describe("the linters", () => {
  const lost = machine({ Type: "Task", Resource: arn("recognize"), Next: "nowhere" });

  it("report a missing state", async () => {
    expect(validatorFaults(lost)).not.toEqual([]);
    expect(await languageServiceFaults(lost)).not.toEqual([]);
  });
});

describe("our own rules", () => {
  const inner = machine(task());
  const all = { ErrorEquals: ["States.ALL"], Next: "one" };

  it.each<[string, Definition, string]>([
    ["States.ALL beside another", machine(task({ Retry: [{ ErrorEquals: ["States.ALL", "E"] }] })), "stands alone"],
    ["States.ALL before another", machine(task({ Catch: [all, { ErrorEquals: ["E"], Next: "one" }] })), "stands last"],
    ["an empty ErrorEquals", machine(task({ Retry: [{ ErrorEquals: [] }] })), "names no error"],
    ["a late heartbeat", machine(task({ HeartbeatSeconds: 60, TimeoutSeconds: 60 })), "HeartbeatSeconds"],
    ["an unknown integration", machine(task({ Resource: "arn:aws:states:::sqs:sendMesage" })), "no integration"],
    [
      "an integration of another partition",
      machine(task({ Resource: START.replace("aws", "aws-cn") })),
      "partition aws",
    ],
    ["a step that never retries", machine(task({ Retry: [] })), "Lambda.ClientExecutionTimeoutException"],
    ["a message that is sent once", machine(task({ Resource: SEND })), "does not retry SQS.SdkClientException"],
    ["a start that is tried once", machine(task({ Resource: START })), "StepFunctions.ThrottlingException"],
    ["a placeholder left over", machine(task({ Resource: "${recognize}" })), "no integration"],
    [
      "an ItemReader on an inline Map",
      machine({ Type: "Map", ItemReader: {}, ItemProcessor: inner, End: true }),
      "for distributed Maps",
    ],
    [
      "a fault inside a Map's machine",
      machine({ Type: "Map", ItemProcessor: machine(task({ Resource: "arn:x" })), End: true }),
      "/one/0/one",
    ],
    ["a state in the other language", machine(task({ QueryLanguage: "JSONata" })), "second query language"],
    [
      "a branch in the other language",
      machine({ Type: "Parallel", Branches: [{ ...inner, QueryLanguage: "JSONata" }], End: true }),
      "second query language",
    ],
    ["Arguments in JSONPath", machine(task({ Arguments: {} })), "Arguments is not of JSONPath"],
    ["ResultPath in JSONata", machine(task({ ResultPath: "$.a" }), { QueryLanguage: "JSONata" }), "not of JSONata"],
    ["a variable that nothing assigns", machine(task({ Parameters: { "a.$": "$other" } })), "$other is never assigned"],
  ])("refuse %s", (_what, definition, fault) => {
    expect(aslFaults(definition).join("\n")).toContain(fault);
  });

  it("accept correct machines", () => {
    const assigning = task({
      Assign: { "found.$": "$.a" },
      Parameters: { "a.$": "$found", "b.$": "$$.Execution.Name" },
    });
    expect(aslFaults(machine(assigning))).toEqual([]);
    const onwards = { ...task(), Next: "$end", Catch: [{ ErrorEquals: ["States.ALL"], Next: "$end" }] };
    expect(aslFaults({ StartAt: "one", States: { one: onwards, $end: task() } })).toEqual([]);
    expect(aslFaults(machine(task({ HeartbeatSeconds: 5, TimeoutSeconds: 60, Retry: [all] })))).toEqual([]);
    expect(aslFaults(machine({ Type: "Map", ItemProcessor: inner, ItemsPath: "$.items", End: true }))).toEqual([]);
    expect(aslFaults(machine(task({ Resource: SEND, Retry: [SEND_RETRY] })))).toEqual([]);
    expect(aslFaults(machine(task({ Resource: START, Retry: [START_RETRY] })))).toEqual([]);
  });
});
