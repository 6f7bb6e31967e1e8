/** A thread that floods the service, apart from the thread that measures. Any message ends the flood. */
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { SheafClient } from "../../client/index.ts";
import { type FloodName, flood } from "./floods.ts";

export interface FloodOrder {
  url: string;
  token: string;
  names: readonly FloodName[];
}

/** A flood comes from other machines: here it leaves the processors to the service and to the client that measures. */
const FLOOD_NICENESS = 10;

// Linux sets the priority of the calling thread alone; elsewhere the whole process has it.
if (process.platform === "linux") setPriority(0, FLOOD_NICENESS);
const { url, token, names } = workerData as FloodOrder;
let over = false;
parentPort?.once("message", () => {
  over = true;
});
const client = new SheafClient({ apiUrl: url, token, retries: 0 });
await Promise.all(names.map((name) => flood[name]({ client, isOver: () => over })));
process.exit(0);
