/** Removed and missing machines, against exchanges written from the service's API reference. */
import { afterEach, describe, expect, it } from "vitest";
import { startMachine } from "../../../../functions/service/runs/run-machines.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { type Answer, answer, refusal, turn } from "./json-exchange.ts";
import { driver, NAME, PLACE, scripted, single, started } from "./workflows.support.ts";

const ARN = `${PLACE}:stateMachine:sheaf-used`;
const deletion = (given: Answer) => turn("DeleteStateMachine", { stateMachineArn: ARN }, given);

describe("Workflows.removeMachine on Step Functions", () => {
  it("accepts a machine that is missing or being deleted", async () => {
    for (const given of [
      answer({}),
      refusal("StateMachineDoesNotExist"),
      refusal("StateMachineDeleting"),
      refusal("InvalidArn"),
    ]) {
      const { workflows, done } = scripted([deletion(given)]);
      await workflows.removeMachine("sheaf-used");
      done();
    }
  });

  it("retries transient errors, and reports permanent ones in its own words", async () => {
    const { workflows, done } = scripted([deletion(refusal("ThrottlingException")), deletion(answer({}))]);
    await workflows.removeMachine("sheaf-used");
    done();
    const denied = scripted([deletion(refusal("AccessDeniedException", `not on ${ARN}`))]).workflows;
    const failure = await denied.removeMachine("sheaf-used").catch((thrown) => thrown);
    expect(failure).toMatchObject({ kind: "InternalServerError", retryable: false });
    expect(failure.message).not.toContain("arn:");
  });
});

/** A service that has machines, and starts executions on those it has. */
function service() {
  const machines = new Set<string>();
  const requests: string[] = [];
  const reply = ({ operation, body }: { operation: string; body: Record<string, unknown> }): Answer => {
    requests.push(operation);
    const arn =
      operation === "CreateStateMachine" ? `${PLACE}:stateMachine:${body.name}` : String(body.stateMachineArn);
    if (operation === "CreateStateMachine") machines.add(arn);
    if (operation === "DeleteStateMachine") machines.delete(arn);
    if (operation === "StartExecution") return machines.has(arn) ? started : refusal("StateMachineDoesNotExist");
    return answer({ stateMachineArn: arn, creationDate: 1 });
  };
  return { reply, requests };
}

describe("Workflows.start after a removal", () => {
  let at: TestPlatform;
  afterEach(() => at.close());

  it("creates a machine again that another process removed", async () => {
    at = testPlatform();
    const { reply, requests } = service();
    const { workflows: own } = driver(reply);
    const { workflows: sweep } = driver(reply);
    const org = { ...at.org, workflows: own };
    const prepare = async () => ({ machine: await own.ensureMachine(single({ Type: "Pass" })), input: { a: 1 } });
    expect(await startMachine(org, NAME, prepare)).toBe(true);
    await sweep.removeMachine((await prepare()).machine);
    requests.length = 0;
    // This process knows that it created the machine, and asks for it as long as a new one takes to become visible.
    expect(await startMachine(org, "0195-2", prepare)).toBe(true);
    expect(requests).toEqual([...Array(6).fill("StartExecution"), "CreateStateMachine", "StartExecution"]);
  });

  it("creates a machine again for each of several starts", async () => {
    at = testPlatform();
    const { reply } = service();
    const { workflows } = driver(reply);
    const org = { ...at.org, workflows };
    const prepare = async () => ({ machine: await workflows.ensureMachine(single({ Type: "Pass" })), input: {} });
    const { machine } = await prepare();
    await driver(reply).workflows.removeMachine(machine);
    const starts = ["a", "b", "c"].map((name) => startMachine(org, name, prepare));
    expect(await Promise.all(starts)).toEqual([true, true, true]);
  });
});
