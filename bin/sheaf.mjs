#!/usr/bin/env node
/**
 * Starts the command line on the right Node: this one if it is new enough, else the one that was installed with it;
 * without that it prints one sentence. The code is TypeScript in the repository, and JavaScript in the package. Written
 * for old versions of Node.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as modules from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const code = existsSync(here("./sheaf.ts")) ? "./sheaf.ts" : "../dist/bin/sheaf.js";
// Its own packages, or those that it was installed beside.
const pinned = ["../node_modules", "../.."]
  .flatMap((folder) => [`${folder}/.bin/node`, `${folder}/node/bin/node`, `${folder}/node/bin/node.exe`])
  .map(here)
  .find((path) => existsSync(path));

if (Number(process.versions.node.split(".")[0]) < 24 && pinned !== undefined) {
  runOn(pinned);
} else {
  modules.createRequire(import.meta.url)("./node-version.cjs");
  // Compiling is most of a short command's time. The cache is keyed by content; where it cannot be written there is none.
  modules.enableCompileCache(here("../node_modules/.cache/sheaf-cli"));
  import(code);
}

/** Runs the command line on another Node with this one's streams, exit code and signal. */
function runOn(node) {
  // It starts this file again, which keeps compiled code; the check ends a Node that is old as well.
  const flags = ["--require", here("./node-version.cjs")];
  const child = spawn(node, [...flags, here("./sheaf.mjs"), ...process.argv.slice(2)], { stdio: "inherit" });
  // A terminal sends Ctrl-C to both processes, `kill` only to this one; the child takes both for one signal.
  const passed = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of passed) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`Sheaf could not start the project's Node 24 (${node}): ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    for (const name of passed) process.removeAllListeners(name);
    if (signal === null) process.exit(code);
    process.kill(process.pid, signal);
    // Reached only when the signal does not end a process.
    process.exitCode = 128 + (constants.signals[signal] || 0);
  });
}
