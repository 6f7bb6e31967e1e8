import { afterEach, expect } from "vitest";
import { createPool, type Pool, type PoolEvent, type PoolOptions } from "../../functions/adapters/local/pool/pool.ts";
import { isRunning } from "./processes.ts";

export const HOSTILE_WORKER = new URL("./hostile-worker.ts", import.meta.url);
export const MEMORY_LIMIT_BYTES = 300_000_000;

export const within = (milliseconds: number): { deadline: number } => ({ deadline: Date.now() + milliseconds });

/** A pool of hostile processes that records its events. */
export interface WatchedPool extends Pool {
  events: PoolEvent[];
  pids(): number[];
}

export function openPool(options: Partial<PoolOptions> = {}): WatchedPool {
  const events: PoolEvent[] = [];
  const onEvent = (event: PoolEvent): void => {
    events.push(event);
  };
  const pool = createPool({
    module: HOSTILE_WORKER,
    size: 1,
    memoryLimitBytes: MEMORY_LIMIT_BYTES,
    recycleAfter: 1_000,
    onEvent,
    ...options,
  });
  return {
    run: (...given) => pool.run(...given),
    ready: () => pool.ready(),
    fault: () => pool.fault(),
    idle: () => pool.idle(),
    close: () => pool.close(),
    events,
    pids: () => [...new Set(events.flatMap(({ pid }) => (pid === undefined ? [] : [pid])))],
  };
}

const opened: WatchedPool[] = [];
/** A pool for one test: closed after it, and no process may remain. */
export function openWatchedPool(options?: Partial<PoolOptions>): WatchedPool {
  const pool = openPool(options);
  opened.push(pool);
  return pool;
}
afterEach(async () => {
  for (const pool of opened.splice(0)) {
    await pool.close();
    expect(pool.pids().filter(isRunning)).toEqual([]);
  }
});
