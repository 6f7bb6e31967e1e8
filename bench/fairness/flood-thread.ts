/** A thread that floods the service, apart from the thread that measures. Any message ends the flood. */
import { parentPort, workerData } from "node:worker_threads";
import { SheafClient } from "../../client/index.ts";
import { type FloodName, flood } from "./floods.ts";

export interface FloodOrder {
  url: string;
  token: string;
  names: readonly FloodName[];
}

const { url, token, names } = workerData as FloodOrder;
let over = false;
parentPort?.once("message", () => {
  over = true;
});
const client = new SheafClient({ apiUrl: url, token, retries: 0 });
await Promise.all(names.map((name) => flood[name]({ client, isOver: () => over })));
process.exit(0);
