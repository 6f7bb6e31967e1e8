/** Machines whose Tasks are built functions: the interpreter sends each the inputs of a Step Functions run. */
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { openWorkflows } from "../../functions/adapters/local/workflows.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Execution, StateMachineDefinition, Step } from "../../functions/ports/workflows.ts";
import { QUEUED_STEP, STEPS } from "../../statemachines/steps.ts";
import type { BundleBench } from "./bundle-bench.ts";

export interface BundleMachines {
  /** Runs the execution that was started last. @returns its end */
  run(definition: unknown): Promise<Execution>;
  close(): void;
}

const RUN_TIMEOUT_MS = 120_000;

export function openBundleMachines({ stubs, answerOf }: BundleBench): BundleMachines {
  const clock = systemClock();
  const records = openRecords(":memory:", { clock });
  const called = STEPS.map((step): [string, Step] => [
    step,
    async (input) => (await answerOf(`step-${step}`, input)) as Json,
  ]);
  /** Processes the Task's message at once. */
  const queued: Step = async (input, { taskToken = "" }) => {
    const { tier: _, ...work } = input as { [member: string]: Json };
    const body = JSON.stringify({ kind: "extract-node", ...work, taskToken });
    const attributes = { ApproximateReceiveCount: "1" };
    await answerOf("nodes", { Records: [{ messageId: "m", receiptHandle: "h", body, attributes }] });
    const answers = stubs.asked
      .filter(({ target }) => target.startsWith("SendTask"))
      .map(({ body }) => JSON.parse(body));
    const { output } =
      answers.findLast((answer) => answer.taskToken === taskToken && answer.output !== undefined) ?? {};
    if (typeof output !== "string") throw new Error("The node's Task was not answered");
    return JSON.parse(output);
  };
  const steps = { ...Object.fromEntries(called), [QUEUED_STEP]: queued };
  const workflows = openWorkflows({ records, clock, steps, concurrency: 5 });
  return {
    async run(definition) {
      const begun = stubs.asked.findLast(({ target }) => target === "StartExecution");
      const { name = "", input = "null" } = JSON.parse(begun?.body ?? "{}") as { name?: string; input?: string };
      await workflows.start(
        await workflows.ensureMachine(definition as StateMachineDefinition),
        name,
        JSON.parse(input),
      );
      for (const end = clock.now() + RUN_TIMEOUT_MS; clock.now() < end; await clock.sleep(50)) {
        const execution = await workflows.describe(name);
        if (execution !== undefined && execution.status !== "RUNNING") return execution;
      }
      throw new Error(`The execution ${name} did not end`);
    },
    close: () => workflows.close(),
  };
}
