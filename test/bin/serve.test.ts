import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import * as serve from "../../bin/serve.ts";
import { sheaf } from "../client/cli/memory-io.ts";

it.each(["x", "65536", "-1"])("sheaf serve refuses the port %s, and starts nothing", async (port) => {
  const { exitCode, stderr } = await sheaf(["serve", `--port=${port}`], {}, [serve]);
  expect([exitCode, stderr]).toEqual([2, "error: --port must be a port, 0 to 65535; 0 is any free one\n"]);
});

it.each([
  [true, ["SIGCHLD"]],
  [false, ["SIGHUP", "SIGCHLD"]],
])("sheaf serve leaves its signals to the service; a hang-up ends it with its terminal (%s)", (hasTerminal, left) => {
  const process = new EventEmitter();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP", "SIGCHLD"]) process.on(name, () => undefined);
  serve.releaseSignals(process, hasTerminal);
  expect(process.eventNames()).toEqual(left);
});
