import { defineConfig } from "vitest/config";

/** `npm test` runs everything but test/full; `npm run test:full` (mode `full`) runs that alone. */
export default defineConfig(({ mode }) => {
  const full = mode === "full";
  return {
    test: {
      include: [full ? "test/full/**/*.test.ts" : "test/**/*.test.ts"],
      exclude: full ? ["node_modules/**"] : ["node_modules/**", "test/full/**"],
      pool: "forks",
      maxWorkers: 2,
      testTimeout: full ? 300_000 : 30_000,
      hookTimeout: 60_000,
      execArgv: ["--disable-warning=ExperimentalWarning"],
    },
  };
});
