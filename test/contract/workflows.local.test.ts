import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { openWorkflows } from "../../functions/adapters/local/workflows.ts";
import { workflowsSuite } from "./workflows.suite.ts";

workflowsSuite({
  name: "one machine",
  async make(steps) {
    const clock = systemClock();
    const records = openRecords(":memory:", { clock });
    const workflows = openWorkflows({ records, clock, steps, concurrency: 50 });
    return {
      workflows,
      async close() {
        await workflows.close();
        records.close();
      },
    };
  },
});
