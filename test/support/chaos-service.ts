/**
 * The service as a process to kill: `chaos-service.ts DATA_DIR [FAIL_POINT]`. Prints its URL when it is ready. Sent
 * `calls`, it prints its port calls so far; sent `arm FAIL_POINT`, it counts anew and confirms.
 */
import { createInterface } from "node:readline";
import { parseConfig } from "../../bin/local/config.ts";
import { startService } from "../../bin/local/service.ts";
import { failPoints } from "./fail-points.ts";
import { KEYS } from "./keys.ts";

const [dataDir = "", point] = process.argv.slice(2);
// A model, when the test has one.
const { OPENAI_API_KEY, OPENAI_BASE_URL, LLM_MODEL_DEFAULT } = process.env;
const model = OPENAI_API_KEY === undefined ? {} : { OPENAI_API_KEY, OPENAI_BASE_URL, LLM_MODEL_DEFAULT };
const points = failPoints();
const config = parseConfig({
  PORT: "0",
  SHEAF_DATA_DIR: dataDir,
  SHEAF_API_KEYS: `1:${KEYS.one}:read+write`,
  SHEAF_LOG: "error",
  ...model,
});
const service = await startService({ config, log: process.stderr, wrap: points.wrap });
points.arm(point);
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const isArmed = line.startsWith("arm ");
  if (isArmed) points.arm(line.slice("arm ".length));
  process.stdout.write(`${JSON.stringify(isArmed ? { armed: true } : { calls: points.calls() })}\n`);
});
lines.on("close", () => process.exit(0));
