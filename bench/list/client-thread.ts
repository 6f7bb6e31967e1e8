/** Sends requests from a thread of its own, so that the client's work does not hold the service's thread. */
import { performance } from "node:perf_hooks";
import { parentPort } from "node:worker_threads";

export interface Ask {
  url: string;
  key: string;
}

export interface Answered {
  milliseconds: number;
  status: number;
  body: string;
}

parentPort?.on("message", async ({ url, key }: Ask) => {
  const begun = performance.now();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const body = await answer.text();
  parentPort?.postMessage({ milliseconds: performance.now() - begun, status: answer.status, body } satisfies Answered);
});
