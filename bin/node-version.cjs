/*
 * Stops an old Node with one sentence before it meets a file it cannot read, and keeps a right one from warning of
 * what we use on purpose. Loaded with --require ahead of the TypeScript entry points and by bin/sheaf.mjs; kept to
 * syntax that every Node understands.
 */
"use strict";

/* In the package there is no TypeScript. */
const isRepository = require("node:fs").existsSync(require("node:path").join(__dirname, "sheaf.ts"));

const ADVICE = isRepository
  ? "`npm ci` brings Node 24 into the project and the npm scripts use it " +
    "(after an install with --ignore-scripts it is missing; run `npm ci` again without that option).\n"
  : "install Node 24, or let the installer run the install script of the package `node`, which brings it along.\n";

function check(version) {
  if (Number(version.split(".")[0]) >= 24) return;
  process.stderr.write(`Sheaf needs Node 24, and this is Node ${version}: ${ADVICE}`);
  process.exit(1);
}

check(process.versions.node);

/*
 * File work at once: some waits for a slow disk, and must leave room for the rest. libuv's default is 4, and it reads the
 * variable at the first use of its threads.
 */
if (process.env.UV_THREADPOOL_SIZE === undefined) process.env.UV_THREADPOOL_SIZE = "16";

/* Node warns that its SQLite is experimental; its own printer of warnings is replaced by one that leaves those out. */
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.stack || warning.message}\n`);
});
