/**
 * A process that is killed during an execution: `node workflows-crash.ts <records file> <execution name>`.
 * Its second step never ends.
 */
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import { openWorkflows } from "../../../../functions/adapters/local/workflows.ts";
import { crashMachine, onceStep } from "./workflows-crash.machine.ts";

const [file = "", name = ""] = process.argv.slice(2);
const clock = systemClock();
const records = openRecords(file, { clock });
const hang = () => {
  process.stdout.write("hanging\n");
  return new Promise<never>(() => {});
};
const steps = { once: onceStep(records), second: hang };
const workflows = openWorkflows({ records, clock, steps, concurrency: 1 });
const machine = await workflows.ensureMachine(crashMachine);
await workflows.start(machine, name, { given: "by the first process" });
await workflows.start(machine, `${name}-waiting`, { given: "later" });
// The hanging step alone holds no timer that would keep the process.
setInterval(() => {}, 1000);
