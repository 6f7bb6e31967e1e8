/**
 * A batch's documents as in the cloud: started by the batch's machine, unknown to this process. The Step Functions
 * driver talks to a fake service that knows executions by their ARNs only.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBatchRun, openDocument } from "../../../../functions/service/batches/batch-runs.ts";
import { countDocuments } from "../../../../functions/service/batches/document-counts.ts";
import { cancelAnyJob, closeDocument, settleAnyRun } from "../../../../functions/service/lifecycle/settle-batch.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import {
  bindOrganization,
  type Organization,
  type Platform,
} from "../../../../functions/service/organizations/organization.ts";
import { executionName } from "../../../../functions/service/runs/job-records.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { beginRun } from "../../../../functions/service/runs/open-run.ts";
import { makeRunMachine } from "../../../../functions/service/runs/run-machines.ts";
import { STEPS } from "../../../../statemachines/steps.ts";
import { type TestPlatform, testPlatform, withWorkflows } from "../../../support/platform.ts";
import { answer, type Request, refusal } from "../../adapters/aws/json-exchange.ts";
import { driver, LAMBDA, PLACE } from "../../adapters/aws/workflows.support.ts";
import { batchOf, COMMAND, listOf } from "./support.ts";

/** Error of a Task that starts a name that is already running. */
const EXISTS = JSON.stringify({ errorMessage: "Execution Already Exists" });

let at: TestPlatform;
let platform: Platform;
let org: Organization;
/** Executions by ARN. */
let executions: Map<string, string>;
let asked: Request[];

const arnOf = (machine: string, name: string): string => `${PLACE}:execution:${machine}:${name}`;

function reply(request: Request) {
  const { operation, body } = request;
  asked.push(request);
  if (operation === "CreateStateMachine") return answer({ stateMachineArn: "made", creationDate: 1 });
  if (operation === "StartExecution") {
    const arn = arnOf(String(body.stateMachineArn).split(":").at(-1) ?? "", String(body.name));
    executions.set(arn, "RUNNING");
    return answer({ executionArn: arn, startDate: 1 });
  }
  const arn = String(body.executionArn);
  const status = executions.get(arn);
  if (status === undefined) return refusal("ExecutionDoesNotExist");
  if (operation === "StopExecution") {
    executions.set(arn, "ABORTED");
    return answer({ stopDate: 1 });
  }
  return answer({ executionArn: arn, status, startDate: 1, input: "{}" });
}

const startsOf = (name: string) =>
  asked.filter(({ operation, body }) => operation === "StartExecution" && body.name === name);

beforeEach(() => {
  at = testPlatform();
  executions = new Map();
  asked = [];
  const steps = Object.fromEntries(STEPS.map((step) => [step, `${LAMBDA}:${step}`]));
  const { workflows } = driver(reply, {
    records: at.platform.records,
    clock: at.org.engines.clock,
    steps,
    bucket: "b",
  });
  platform = { ...at.platform, workflows, config: { ...at.platform.config, distributedMaps: true } };
  org = bindOrganization(platform, 1);
});
afterEach(() => at.close());

/** A batch whose first document is running, as after the machine's first two states. */
async function begun() {
  const batch = await batchOf(org, ["a", "b"]);
  await openBatchRun(org, batch, COMMAND, {});
  const opened = await openDocument(org, batch, 1, 0, await makeRunMachine(org, COMMAND));
  if (!opened.open || opened.machine === undefined) throw new Error("It is open, and on a machine");
  const arn = arnOf(opened.machine, opened.name);
  executions.set(arn, "RUNNING");
  return { batch, guid: opened.input.guid, name: opened.name, arn };
}

describe("a document started by its batch's machine", () => {
  it("is known to run, and is left alone by the sweep", async () => {
    const { batch, guid, name } = await begun();
    expect(await org.workflows.describe(name)).toMatchObject({ status: "RUNNING" });
    expect(await closeDocument(org, batch, 1, 0, EXISTS)).toEqual({ open: true });
    expect((await loadJob(org, guid)).value.openRun).toBe(1);
    // Neither the batch's execution nor the document's is started again.
    expect(await sweep(platform, at.system)).toBe(0);
    expect(startsOf(name)).toEqual([]);
  });

  it("is closed when its execution has ended", async () => {
    const { batch, guid, arn } = await begun();
    executions.set(arn, "TIMED_OUT");
    expect(await closeDocument(org, batch, 1, 0, JSON.stringify({ Status: "TIMED_OUT" }))).toEqual({ open: false });
    expect((await loadJob(org, guid)).value).toMatchObject({
      status: "FAILED",
      error: "Processing timeout after 300 seconds",
    });
  });

  it("is stopped and settled past its deadline", async () => {
    const { guid, arn } = await begun();
    await beginRun(org, guid, 1);
    at.pass(331);
    expect(await sweep(platform, at.system)).toBe(1);
    expect(executions.get(arn)).toBe("ABORTED");
    expect((await loadJob(org, guid)).value).toMatchObject({ status: "FAILED", openRun: null });
  });

  it("is stopped with its batch", async () => {
    const { batch, arn } = await begun();
    await settleAnyRun(org, batch, 1, "Processing failed: enough");
    expect(executions.get(arn)).toBe("ABORTED");
    expect(await countDocuments(org, batch, 1)).toMatchObject({ started: 1, failed: 1 });
  });

  it("is cancelled with its batch; the execution of the distributed Map is stopped too", async () => {
    const { batch, guid, arn } = await begun();
    expect(await cancelAnyJob(org, batch)).toMatchObject({ status: "CANCELLED" });
    expect(executions.get(arn)).toBe("ABORTED");
    expect([...executions.entries()].filter(([, status]) => status === "RUNNING")).toEqual([]);
    // The event of the stopped execution changes nothing any more.
    await settleAnyRun(org, guid, 1, "Processing failed: The service made an error");
    expect(await listOf(org, batch)).toEqual(["Cancelled", null]);
  });

  it("continues on the machine on which the sweep started it first", async () => {
    const batch = await batchOf(org, ["a"]);
    await openBatchRun(org, batch, COMMAND, {});
    // Opened by a step that was cut off before it reserved the name.
    const cut = withWorkflows(org, { reserve: () => Promise.reject(new Error("cut off")) });
    await expect(openDocument(cut, batch, 1, 0, "sheaf-older")).rejects.toThrow("cut off");
    expect(await sweep(platform, at.system)).toBe(1);
    const opened = await openDocument(org, batch, 1, 0, "sheaf-older");
    const machine = await makeRunMachine(org, COMMAND);
    expect(opened).toMatchObject({ open: true, machine });
    const { guid } = opened.open ? opened.input : { guid: "" };
    expect(startsOf(executionName(guid, 1))).toHaveLength(1);
    expect(await closeDocument(org, batch, 1, 0, EXISTS)).toEqual({ open: true });
  });
});
