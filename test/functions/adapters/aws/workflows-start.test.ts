/** Starts of the Step Functions driver, against exchanges written down from the service's API reference. */
import { describe, expect, it } from "vitest";
import { answer, refusal, turn } from "./json-exchange.ts";
import {
  ARN,
  claimed,
  describeTurn,
  driver,
  MACHINE,
  NAME,
  PLACE,
  scripted,
  single,
  started,
  startTurn,
} from "./workflows.support.ts";

describe("Workflows.start on Step Functions", () => {
  it("claims the name, starts it, and tells the caller that it was the starter", async () => {
    const input = '{"a":[1,null],"b":"ä"}';
    const { workflows, records, done } = scripted([
      startTurn(started, MACHINE, input),
      // The same name and input, running: the service answers as it did the first time.
      startTurn(started, MACHINE, input),
      startTurn(refusal("ExecutionAlreadyExists"), MACHINE, input),
    ]);
    expect(await workflows.start(MACHINE, NAME, { b: "ä", a: [1, null] })).toEqual({ started: true });
    expect(await workflows.start(MACHINE, NAME, { a: [1, null], b: "ä" })).toEqual({ started: false });
    expect(await workflows.start(MACHINE, NAME, { a: [1, null], b: "ä" })).toEqual({ started: false });
    done();
    expect(await records.get({ partition: `sys/executions/${NAME}`, sort: "machine" })).toMatchObject({
      value: { v: 1, machine: MACHINE, started: true },
    });
  });

  it("tells one of many concurrent callers that it was the starter", async () => {
    const { workflows } = driver(() => started);
    const starts = await Promise.all(Array.from({ length: 20 }, () => workflows.start(MACHINE, NAME, {})));
    expect(starts.filter((start) => start.started)).toHaveLength(1);
  });

  it("starts a claimed name that was never started, as after a crash between the two", async () => {
    const { workflows, done } = scripted([startTurn(refusal("AccessDeniedException")), startTurn(started)]);
    await expect(workflows.start(MACHINE, NAME, {})).rejects.toMatchObject({ kind: "InternalServerError" });
    expect(await workflows.start(MACHINE, NAME, {})).toEqual({ started: true });
    done();
  });

  it("does not mistake a machine's start with an equal input for its own", async () => {
    const { workflows, done } = scripted([
      describeTurn(answer({ executionArn: ARN, status: "RUNNING", startDate: 1, input: "{}" })),
    ]);
    expect(await workflows.reserve(MACHINE, NAME)).toBe(MACHINE);
    expect(await workflows.reserve("sheaf-newer", NAME)).toBe(MACHINE);
    expect(await workflows.start("sheaf-newer", NAME, {})).toEqual({ started: false });
    done();
  });

  it("starts a name reserved for a machine that never started it, and does not check again afterwards", async () => {
    const missing = describeTurn(refusal("ExecutionDoesNotExist"));
    const { workflows, done } = scripted([missing, startTurn(started), startTurn(started)]);
    await workflows.reserve(MACHINE, NAME);
    expect(await workflows.start(MACHINE, NAME, {})).toEqual({ started: true });
    expect(await workflows.start(MACHINE, NAME, {})).toEqual({ started: false });
    done();
  });

  it("starts a name on the machine of its claim, also when a newer one is named", async () => {
    const { workflows, done } = await claimed([startTurn(started)]);
    expect(await workflows.start("sheaf-newer", NAME, {})).toEqual({ started: false });
    done();
  });

  it("starts a name on the newer machine when the older one is deleted", async () => {
    const gone = Array.from({ length: 6 }, () => startTurn(refusal("StateMachineDoesNotExist")));
    const newer = `${PLACE}:execution:sheaf-newer:${NAME}`;
    const { workflows, done } = await claimed([
      ...gone,
      startTurn(started, "sheaf-newer"),
      turn(
        "DescribeExecution",
        { executionArn: newer },
        answer({ executionArn: newer, status: "RUNNING", startDate: 1 }),
      ),
    ]);
    expect(await workflows.start("sheaf-newer", NAME, {})).toEqual({ started: true });
    expect(await workflows.describe(NAME)).toMatchObject({ machine: "sheaf-newer", status: "RUNNING" });
    done();
  });

  it("starts a name on the newer machine after a crash before the start", async () => {
    const gone = Array.from({ length: 6 }, () => startTurn(refusal("StateMachineDoesNotExist")));
    const { workflows, done } = await claimed([
      ...gone,
      startTurn(refusal("AccessDeniedException"), "sheaf-newer"),
      startTurn(started, "sheaf-newer"),
    ]);
    await expect(workflows.start("sheaf-newer", NAME, {})).rejects.toMatchObject({ kind: "InternalServerError" });
    expect(await workflows.start("sheaf-newer", NAME, {})).toEqual({ started: true });
    done();
  });

  it("waits for a machine that it has just created, and creates it again when that does not help", async () => {
    const made: unknown[] = [];
    let missing = 3;
    const { workflows, clock } = driver(({ operation, body }) => {
      if (operation === "CreateStateMachine") {
        made.push(body.name);
        return answer({ stateMachineArn: "arn", creationDate: 1 });
      }
      missing -= 1;
      return missing >= 0 ? refusal("StateMachineDoesNotExist") : started;
    });
    const machine = await workflows.ensureMachine(single({ Type: "Pass" }));
    expect(await workflows.start(machine, NAME, {})).toEqual({ started: true });
    expect(clock.slept).toEqual([150, 300, 600]);
    missing = 6;
    await expect(workflows.start(machine, "other", {})).rejects.toMatchObject({
      kind: "ServiceUnavailable",
      retryable: true,
    });
    await workflows.ensureMachine(single({ Type: "Pass" }));
    expect(made).toEqual([machine, machine]);
  });

  it("waits for a deployed machine, and creates none in its place", async () => {
    const deployed = { [MACHINE]: single({ Type: "Pass" }) };
    const missing = Array.from({ length: 6 }, () => startTurn(refusal("StateMachineDoesNotExist")));
    const { workflows, done } = scripted([...missing, startTurn(started)], { deployed });
    const machine = await workflows.ensureMachine(single({ Type: "Pass" }));
    await expect(workflows.start(machine, NAME, {})).rejects.toMatchObject({
      kind: "ServiceUnavailable",
      retryable: true,
    });
    expect(await workflows.start(machine, NAME, {})).toEqual({ started: true });
    done();
  });

  it("does not wait for a machine that nobody created", async () => {
    for (const error of ["StateMachineDoesNotExist", "InvalidArn"]) {
      const { workflows, clock } = scripted([startTurn(refusal(error), "unknown")]);
      await expect(workflows.start("unknown", NAME, {})).rejects.toMatchObject({ kind: "NotFound" });
      expect(clock.slept).toEqual([]);
    }
  });

  it("refuses invalid names and inputs like the local driver, before any request", async () => {
    const { workflows } = scripted([]);
    await expect(workflows.start(MACHINE, "a b", {})).rejects.toMatchObject({ kind: "BadRequest" });
    await expect(workflows.start(MACHINE, "a".repeat(81), {})).rejects.toMatchObject({ kind: "BadRequest" });
    await expect(workflows.start(MACHINE, NAME, "x".repeat(262_143))).rejects.toMatchObject({
      kind: "PayloadTooLarge",
    });
    await expect(workflows.start(MACHINE, NAME, "ä".repeat(131_072))).rejects.toMatchObject({
      kind: "PayloadTooLarge",
    });
  });

  it("retries transient errors and maps permanent ones", async () => {
    const { workflows, done } = scripted([
      startTurn(refusal("ThrottlingException")),
      startTurn(refusal("ServiceUnavailable", "", 503)),
      startTurn(started),
    ]);
    expect(await workflows.start(MACHINE, NAME, {})).toEqual({ started: true });
    done();
    for (const [error, kind] of [
      ["ExecutionLimitExceeded", "ServiceUnavailable"],
      ["InvalidExecutionInput", "BadRequest"],
      ["InvalidName", "BadRequest"],
      ["KmsAccessDeniedException", "InternalServerError"],
      ["ValidationException", "InternalServerError"],
    ] as const) {
      const { workflows: refused } = driver(() => refusal(error));
      await expect(refused.start(MACHINE, NAME, {})).rejects.toMatchObject({ kind });
    }
  });
});
