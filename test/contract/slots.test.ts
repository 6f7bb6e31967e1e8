/** Slots in memory, and in the Records of a deployment. */
import { recordedSlots } from "../../functions/adapters/aws/slots.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { memorySlots } from "../../functions/adapters/local/slots.ts";
import { slotsSuite } from "./slots.suite.ts";

slotsSuite({ name: "memory", make: (clock) => ({ slots: memorySlots(clock), close: () => undefined }) });

slotsSuite({
  name: "records",
  make(clock) {
    const records = openRecords(":memory:", { clock });
    return { slots: recordedSlots(records, clock), close: () => records.close() };
  },
});
