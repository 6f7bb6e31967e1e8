import { defineConfig } from "vitest/config";

/** `npm test` runs everything but test/full; `npm run test:full` sets SHEAF_TEST_FULL and runs test/full alone. */
const full = process.env.SHEAF_TEST_FULL === "1";

export default defineConfig({
  test: {
    include: full ? ["test/full/**/*.test.ts"] : ["test/**/*.test.ts"],
    exclude: full ? ["node_modules/**"] : ["node_modules/**", "test/full/**"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: full ? 300_000 : 30_000,
    hookTimeout: 60_000,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  },
});
