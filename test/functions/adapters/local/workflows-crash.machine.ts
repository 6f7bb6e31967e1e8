/** The machine of the crash test and its idempotent step. */
import { ConditionFailed } from "../../../../functions/ports/errors.ts";
import type { Records } from "../../../../functions/ports/records.ts";
import type { Step } from "../../../../functions/ports/workflows.ts";
import { row, task } from "../../../contract/workflows.machines.ts";

export const crashMachine = row({
  Once: task("once", { ResultPath: "$.once" }),
  Second: task("second", { ResultPath: "$.second" }),
  Note: { Type: "Pass", Parameters: { "all.$": "$", "started.$": "$$.Execution.StartTime" } },
});

/** Does its work once for an execution, however often it is called; counts the calls and the work. */
export const onceStep =
  (records: Records): Step =>
  async (_input, { executionName }) => {
    const counter = { partition: "test/counters", sort: executionName };
    await records.add(counter, { calls: 1 });
    try {
      const work = { partition: "test/work", sort: executionName };
      await records.put(work, { v: 1 }, { condition: { ifAbsent: true } });
      await records.add(counter, { worked: 1 });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
    return "done";
  };
