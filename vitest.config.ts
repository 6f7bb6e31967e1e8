import { defineConfig } from "vitest/config";
import { canRunMinistack } from "./test/support/ministack.ts";

/** What of the end-to-end tests asks a running service only; the others start, stop or break one of their own. */
const CLOUD = ["first-light", "errors", "idempotency", "organizations"];

/**
 * `npm test` runs everything but test/full; `npm run test:full` (mode `full`) runs that alone; `npm run test:cloud`
 * (mode `cloud`) runs end-to-end tests against the app deployed to an emulator, where that can run.
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
    const runs = await canRunMinistack();
    return {
      test: {
        ...shared,
        include: runs ? CLOUD.map((name) => `test/e2e/${name}.test.ts`) : [],
        passWithNoTests: !runs,
        setupFiles: ["test/cloud/rights.ts"],
        globalSetup: runs ? ["test/cloud/global-setup.ts"] : [],
        testTimeout: 120_000,
      },
    };
  }
  return {
    test: {
      ...shared,
      include: [full ? "test/full/**/*.test.ts" : "test/**/*.test.ts"],
      exclude: full ? ["node_modules/**"] : ["node_modules/**", "test/full/**"],
      testTimeout: full ? 300_000 : 30_000,
    },
  };
});
