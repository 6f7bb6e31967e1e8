/**
 * Tasks of the pooled engine processes. A process loads and uses everything slow to load before it reports ready: the
 * first document is as fast as the next, and a process that cannot read the test document never gets a customer's.
 */
import { run as extract } from "../../engine/tasks/extract.run.ts";
import { run as inspect } from "../../engine/tasks/inspect.run.ts";
import { run as read } from "../../engine/tasks/read.run.ts";
import { run as receipt } from "../../engine/tasks/receipt.run.ts";
import { parseJsonBytes } from "../../ports/json.ts";
import { loadTasks } from "./load-tasks.ts";
import type { PoolTasks } from "./pool/protocol.ts";
import { WARM_SCHEMA, WARM_TOTAL, warmDocument } from "./warm-document.ts";

/** Takes the test document the way of a customer's. @throws Error when its data are not what it prints */
async function warmUp(): Promise<void> {
  const [bytes, mimeType] = [warmDocument(), "application/pdf"];
  await inspect.run({ bytes, mimeType });
  const { layout } = await read.run({ bytes, options: { mimeType } });
  const request = { schema: WARM_SCHEMA, granularity: "auto" } as const;
  const { result, sources } = await extract.run({ layout, request });
  await receipt.run({ layout, result, sources, request });
  const { total } = parseJsonBytes<{ total?: unknown }>(result);
  if (total !== WARM_TOTAL) throw new Error(`The test document has the total ${String(total)}`);
}

async function start(): Promise<PoolTasks> {
  const loaded = await loadTasks();
  await warmUp();
  return Object.fromEntries([...loaded.values()].map((task) => [task.name, (payload: never) => task.run(payload)]));
}

export const tasks: Promise<PoolTasks> = start();
