/**
 * The service as a process to kill: `chaos-service.ts DATA_DIR [FAIL_POINT]`. Prints its URL when it is ready. Sent
 * `calls`, it prints its port calls so far; sent `arm FAIL_POINT`, it counts anew and confirms; sent `clock MS`, its
 * machine's clock jumps by so much; sent `fault CODE`, its stores fail with that code, until `fault` is sent.
 */
import "./shifted-date.ts";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import { parseConfig } from "../../bin/local/config.ts";
import { startService } from "../../bin/local/service.ts";
import { openServiceBundle } from "../../bin/local/service-bundle.ts";
import { failPoints } from "./fail-points.ts";
import { faultyPorts } from "./faulty-ports.ts";
import { KEYS } from "./keys.ts";
import { shiftDate } from "./shifted-date.ts";

const [dataDir = "", point] = process.argv.slice(2);
// A model, when the test has one.
const { OPENAI_API_KEY, OPENAI_BASE_URL, LLM_MODEL_DEFAULT, SHEAF_BILLING, CHAOS_ALL_PROCESSES } = process.env;
const model = OPENAI_API_KEY === undefined ? {} : { OPENAI_API_KEY, OPENAI_BASE_URL, LLM_MODEL_DEFAULT };
const points = failPoints();
const faults = faultyPorts();
const config = parseConfig({
  PORT: "0",
  SHEAF_DATA_DIR: dataDir,
  SHEAF_API_KEYS: `1:${KEYS.one}:read+write+billing+admin`,
  SHEAF_LOG: "error",
  SHEAF_BILLING,
  ...model,
});
const wrap = (ports: Parameters<typeof points.wrap>[0]) => points.wrap(faults.wrap(ports));
const { bundle } = await openServiceBundle();
const service = await startService({
  config,
  log: process.stderr,
  wrap,
  ...(bundle === undefined ? {} : { bundle }),
  ...(CHAOS_ALL_PROCESSES === "1" ? {} : { documentProcesses: 1, shortTaskProcess: false }),
});
// Kept now, because this process is killed.
flushCompileCache();
points.arm(point);
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
const lines = createInterface({ input: process.stdin });
const obey: Record<string, (argument: string) => object> = {
  arm: (point) => {
    points.arm(point);
    return { armed: true };
  },
  calls: () => ({ calls: points.calls() }),
  clock: (milliseconds) => {
    shiftDate(Number(milliseconds));
    return { shifted: true };
  },
  fault: (code) => {
    faults.set(code === "" ? undefined : code);
    return { faulty: code !== "" };
  },
};
lines.on("line", (line) => {
  const [word = "", argument = ""] = line.split(/ (.*)/s);
  process.stdout.write(`${JSON.stringify(obey[word]?.(argument) ?? {})}\n`);
});
lines.on("close", () => process.exit(0));
