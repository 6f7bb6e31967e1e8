/** A service that starts a pool, lets a task spin, prints the process ids of the pool, and waits to be killed. */
import { createPool, type PoolEvent } from "../../functions/adapters/local/pool/pool.ts";

const pids: number[] = [];
const pool = createPool({
  module: new URL("./hostile-worker.ts", import.meta.url),
  size: 2,
  memoryLimitBytes: 300_000_000,
  recycleAfter: 100,
  onEvent: ({ pid }: PoolEvent) => {
    if (pid !== undefined) pids.push(pid);
  },
});
await pool.idle();
void pool.run("spin", null, { deadline: Date.now() + 60_000 });
process.stdout.write(`${JSON.stringify(pids)}\n`);
setInterval(() => undefined, 1_000);
