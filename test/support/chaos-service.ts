/**
 * The service as a process of its own, to be killed: `chaos-service.ts DATA_DIR [FAIL_POINT]`. Prints its URL when it is
 * ready, and the port calls so far when it is sent a line.
 */
import { parseConfig } from "../../bin/local/config.ts";
import { startService } from "../../bin/local/service.ts";
import { failPoints } from "./fail-points.ts";
import { KEYS } from "./keys.ts";

const [dataDir = "", point] = process.argv.slice(2);
// A model, where the test that starts this has one.
const { OPENAI_API_KEY, OPENAI_BASE_URL, LLM_MODEL_DEFAULT } = process.env;
const model = OPENAI_API_KEY === undefined ? {} : { OPENAI_API_KEY, OPENAI_BASE_URL, LLM_MODEL_DEFAULT };
const points = failPoints(point);
const config = parseConfig({
  PORT: "0",
  SHEAF_DATA_DIR: dataDir,
  SHEAF_API_KEYS: `1:${KEYS.one}:read+write`,
  SHEAF_LOG: "error",
  ...model,
});
const service = await startService({ config, log: process.stderr, wrap: points.wrap });
points.arm();
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
process.stdin.on("data", () => process.stdout.write(`${JSON.stringify({ calls: points.calls() })}\n`));
process.stdin.on("end", () => process.exit(0));
