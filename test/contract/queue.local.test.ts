import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openQueue } from "../../functions/adapters/local/queue.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { queueSuite } from "./queue.suite.ts";

queueSuite({
  name: "one machine",
  turns: "exact",
  async make({ maxReceives }) {
    const clock = systemClock();
    const records = openRecords(":memory:", { clock });
    const queue = openQueue({ records, clock, maxReceives });
    return {
      queue,
      async close() {
        queue.close();
        records.close();
      },
    };
  },
});
