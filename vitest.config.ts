import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { canDeploy } from "./test/cloud/judges.ts";
import SlowFirst from "./test/support/slow-first.ts";

/** What of the end-to-end tests asks a running service only; the others start, stop or break one of their own. */
const CLOUD = [
  "first-light",
  "errors",
  "idempotency",
  "organizations",
  "upload-url",
  "scans",
  "findings",
  "batches",
  "cases",
  "knowledge-bases",
  "webhooks",
  "pipelines",
  "pipeline-failures",
  "pipeline-batches",
  "compat",
  "compat-cases",
  "compat-work",
  "jobs",
  "operations",
  "configurations",
  "providers",
  "provider-command",
  "templates",
  "keys",
  "audit",
];

/** One process more than processors: a quarter of a test's time passes waiting, for a timer, a disk or a program. */
const WORKERS = availableParallelism() + 1;

/**
 * `npm test` runs everything but test/full and test/cloud; `npm run test:full` (mode `full`) runs test/full, and then
 * `npm run test:cloud` (mode `cloud`): end-to-end tests against the app deployed to an emulator, and what only such a
 * deployment shows. Where that cannot run, it says so and its tests count as skipped.
 */
export default defineConfig(async ({ mode }) => {
  const full = mode === "full";
  const shared = {
    pool: "forks" as const,
    maxWorkers: 2,
    hookTimeout: 60_000,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  };
  if (mode === "cloud") {
    const runs = await canDeploy();
    // Files share what their process has loaded; what they test is elsewhere.
    const settings = {
      ...shared,
      isolate: false,
      setupFiles: runs ? ["test/cloud/rights.ts"] : [],
      testTimeout: 120_000,
    };
    const tests = ["test/cloud/*.test.ts", ...(runs ? CLOUD.map((name) => `test/e2e/${name}.test.ts`) : [])];
    // With a model, the one deployment is another service: those tests wait for all others.
    const model = "test/cloud/model.test.ts";
    // The commands of the pages deploy again, and change its secrets.
    const docs = "test/cloud/docs.test.ts";
    // Records and files are compared, so nothing may change them meanwhile.
    const restore = "test/cloud/restore.test.ts";
    const alone = [model, docs, restore];
    const first = { ...settings, name: "deployment", include: tests, exclude: alone, sequence: { groupOrder: 0 } };
    const then = { ...settings, name: "model", include: [model], sequence: { groupOrder: 1 } };
    const drill = { ...settings, name: "restore", include: [restore], sequence: { groupOrder: 2 } };
    const last = { ...settings, name: "docs", include: [docs], sequence: { groupOrder: 3 } };
    return {
      test: {
        globalSetup: runs ? ["test/cloud/global-setup.ts"] : [],
        projects: [{ test: first }, { test: then }, { test: drill }, { test: last }],
      },
    };
  }
  const sequence = { sequencer: SlowFirst };
  if (full) return { test: { ...shared, include: ["test/full/**/*.test.ts"], testTimeout: 300_000, sequence } };
  // Files close what they open and leave nothing behind, so they share what their process has loaded: loading it for
  // each was a third of their time. One that sets the environment of its process has its own.
  const alone = ["test/contract/engine.lambda.test.ts"];
  const settings = { ...shared, maxWorkers: WORKERS, testTimeout: 30_000 };
  const together = { ...settings, isolate: false, restoreMocks: true, unstubEnvs: true };
  const others = ["node_modules/**", "test/full/**", "test/cloud/**", ...alone];
  return {
    test: {
      sequence,
      projects: [
        { test: { ...settings, name: "alone", include: alone } },
        { test: { ...together, name: "together", include: ["test/**/*.test.ts"], exclude: others } },
      ],
    },
  };
});
