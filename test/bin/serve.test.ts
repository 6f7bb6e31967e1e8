import { expect, it } from "vitest";
import * as serve from "../../bin/serve.ts";
import { sheaf } from "../client/cli/memory-io.ts";

it.each(["x", "65536", "-1"])("sheaf serve refuses the port %s, and starts nothing", async (port) => {
  const { exitCode, stderr } = await sheaf(["serve", `--port=${port}`], {}, [serve]);
  expect([exitCode, stderr]).toEqual([2, "error: --port must be a port, 0 to 65535; 0 is any free one\n"]);
});
