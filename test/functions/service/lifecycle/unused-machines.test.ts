/** Unused machines of pipelines: recording of uses, removal, and machines made again. */
import { afterEach, describe, expect, it } from "vitest";
import { ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { Execution } from "../../../../functions/ports/workflows.ts";
import { openBatchRun } from "../../../../functions/service/batches/batch-runs.ts";
import { sweepMachines } from "../../../../functions/service/lifecycle/unused-machines.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";
import { executionName } from "../../../../functions/service/runs/job-records.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { makePipelineMachine } from "../../../../functions/service/runs/run-machines.ts";
import { type TestPlatform, testPlatform, withLostStarts, withWorkflows } from "../../../support/platform.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";
import { batchOf } from "../batches/support.ts";

let at: TestPlatform;
afterEach(() => at.close());

const DAY = 86_400;
const ONE: Json = { nodes: [{ id: "end", type: "final", output: 1 }] };
/** A pipeline with another machine. */
const TWO: Json = {
  nodes: [
    { id: "end", type: "final", when: { eq: ["$document.pageCount", 1] }, output: 1 },
    { id: "other", type: "final", output: 2 },
  ],
};

/** A machine whose executions keep running. */
const HELD = { StartAt: "Rest", States: { Rest: { Type: "Wait", Seconds: 600, End: true } } };

const inputOf = (execution: Execution | undefined) => execution?.input as Record<"documentMachine", string>;

async function started(org: Organization, pipeline: Json): Promise<string> {
  const guid = await uploaded(org);
  await openRun(org, guid, commandOf({ mode: "PIPELINE", pipeline }));
  return guid;
}

async function processed(org: Organization, pipeline: Json): Promise<string> {
  const guid = await started(org, pipeline);
  expect(await waitForEnd(org, guid, 10)).toMatchObject({ status: "COMPLETED" });
  return guid;
}

const machineIn = async (guid: string): Promise<string> =>
  (await at.org.workflows.describe(executionName(guid, 1)))?.machine ?? "none";

const machines = async (): Promise<string[]> =>
  (await at.system.query({ partition: "sys/machines" })).items.map(({ key }) => key.sort);

const uses = async () => (await at.system.query({ partition: "sys/machine-uses" })).items;

const sweep = (most?: number): Promise<number> => sweepMachines(at.platform, at.system, most);

describe("the use of a machine", () => {
  it("is recorded once a day for all organizations, without their data", async () => {
    at = testPlatform();
    const guid = await processed(at.org, ONE);
    for (let again = 0; again < 3; again++) await processed(at.org, ONE);
    await processed(at.other, ONE);
    const [use, ...others] = await uses();
    expect(others).toEqual([]);
    // Its version counts the writes.
    expect(use?.version).toBe(1);
    expect(use?.key.sort).toBe(await machineIn(guid));
    expect(Object.keys(use?.value ?? {}).sort()).toEqual(["usedAt", "v"]);
    at.pass(1.1 * DAY);
    await processed(at.org, ONE);
    await processed(at.org, ONE);
    expect(await uses()).toMatchObject([{ version: 2 }]);
  });

  it("is not recorded for the built-in document machine", async () => {
    at = testPlatform();
    const guid = await uploaded(at.org);
    await openRun(at.org, guid, commandOf());
    await waitForEnd(at.org, guid, 10);
    expect(await uses()).toEqual([]);
    at.pass(40 * DAY);
    expect(await sweep()).toBe(0);
    expect(await machines()).toEqual([await machineIn(guid)]);
  });
});

describe("machines unused for 30 days", () => {
  it("are removed; used and built-in machines stay", async () => {
    at = testPlatform();
    const [old, used] = [await processed(at.org, ONE), await processed(at.org, TWO)];
    expect(await machines()).toHaveLength(2);
    at.pass(29.9 * DAY);
    expect(await sweep()).toBe(0);
    await processed(at.other, TWO);
    at.pass(1.1 * DAY);
    expect(await sweep()).toBe(1);
    expect(await machines()).toEqual([await machineIn(used)]);
    expect((await uses()).map(({ key }) => key.sort)).toEqual([await machineIn(used)]);
    // Ended executions of a removed machine can still be described.
    expect(await at.org.workflows.describe(executionName(old, 1))).toMatchObject({ status: "SUCCEEDED" });
    await processed(at.org, ONE);
    expect(await machines()).toHaveLength(2);
  });

  it("are searched once a day, in parts", async () => {
    at = testPlatform();
    await processed(at.org, ONE);
    await makePipelineMachine(at.org, TWO);
    at.pass(31 * DAY);
    expect(await sweep(1)).toBe(1);
    expect(await sweep(1)).toBe(1);
    expect([await machines(), await uses()]).toEqual([[], []]);
    await makePipelineMachine(at.org, ONE);
    at.pass(0.9 * DAY);
    await at.system.put({ partition: "sys/machine-uses", sort: "old" }, { v: 1, usedAt: 0 });
    expect(await sweep()).toBe(0);
    at.pass(0.2 * DAY);
    expect(await sweep()).toBe(1);
  });

  it("stay while they have an open run, also a batch's with documents to come", async () => {
    at = testPlatform({ extract: () => new Promise(() => undefined) });
    const read = { id: "read", type: "extract", schema: { a: "string" } };
    const long: Json = { nodes: [read, { id: "end", type: "final", output: "$nodes.read.result" }] };
    const guid = await started(at.org, long);
    const two = commandOf({ mode: "PIPELINE", pipeline: TWO });
    const batch = await batchOf(at.org, ["a"]);
    await openBatchRun(at.org, batch, two, {});
    expect(await waitForEnd(at.org, batch, 10)).toMatchObject({ status: "COMPLETED" });
    const { documentMachine } = inputOf(await at.org.workflows.describe(executionName(batch, 1)));
    // Its documents have not begun, so only its input names their machine.
    const open = await batchOf(at.org, ["a"]);
    await openBatchRun(withLostStarts(at.org), open, two, {});
    const held = await at.org.workflows.ensureMachine(HELD);
    await at.org.workflows.start(held, executionName(open, 1), { documentMachine });
    at.pass(31 * DAY);
    expect(await sweep()).toBe(0);
    expect(await machines()).toEqual(expect.arrayContaining([documentMachine, await machineIn(guid)]));
    await at.org.workflows.stop(executionName(guid, 1), "Stopped", "by an operator");
    at.pass(1.1 * DAY);
    await waitForEnd(at.org, guid, 10);
    expect(await sweep()).toBe(1);
    expect(await machines()).toContain(documentMachine);
  });

  it("are removed later after a failure", async () => {
    at = testPlatform();
    await processed(at.org, ONE);
    at.pass(31 * DAY);
    const removeMachine = async (): Promise<void> => {
      throw new ServiceUnavailable("The workflow service is not there");
    };
    const broken = { ...at.platform, workflows: withWorkflows(at.org, { removeMachine }).workflows };
    expect(await sweepMachines(broken, at.system)).toBe(0);
    expect(await uses()).toMatchObject([{ value: { removing: true } }]);
    expect(await sweep()).toBe(1);
    expect(await uses()).toEqual([]);
  });
});

describe("a job that starts while its machine is removed", () => {
  it("keeps the machine when it records its use first", async () => {
    at = testPlatform();
    await processed(at.org, ONE);
    at.pass(31 * DAY);
    // After the sweep has read all uses, before it removes this machine.
    let came: Promise<string> | undefined;
    const racing = {
      ...at.system,
      put: async (...given: Parameters<typeof at.system.put>) => {
        came ??= processed(at.org, ONE);
        await came;
        return at.system.put(...given);
      },
    };
    expect(await sweepMachines(at.platform, racing)).toBe(0);
    expect([(await machines()).length, (await uses()).length]).toEqual([1, 1]);
    expect((await uses())[0]?.value).not.toHaveProperty("removing");
  });

  it("makes the machine again when it had ensured it before, and its use stays recorded", async () => {
    at = testPlatform();
    await processed(at.org, ONE);
    at.pass(31 * DAY);
    let removed = 0;
    const org = withWorkflows(at.org, {
      start: async (machine, name, input) => {
        if (removed === 0) {
          removed += 1;
          await at.org.workflows.removeMachine(machine);
        }
        return at.org.workflows.start(machine, name, input);
      },
    });
    const guid = await processed(org, ONE);
    expect(removed).toBe(1);
    expect(await machines()).toEqual([await machineIn(guid)]);
    expect((await uses()).map(({ key }) => key.sort)).toEqual([await machineIn(guid)]);
    expect(await sweep()).toBe(0);
  });

  it("has its use recorded when it starts between the removal and the deletion of its record", async () => {
    at = testPlatform();
    await processed(at.org, ONE);
    at.pass(31 * DAY);
    const workflows = withWorkflows(at.org, {
      removeMachine: async (machine) => {
        await at.org.workflows.removeMachine(machine);
        await processed(at.org, ONE);
      },
    }).workflows;
    expect(await sweepMachines({ ...at.platform, workflows }, at.system)).toBe(0);
    expect(await uses()).toHaveLength(1);
    expect(await machines()).toHaveLength(1);
  });
});
