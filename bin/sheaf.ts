/** The command line; bin/sheaf.mjs starts it on the right Node. */
import { runCommandLine } from "../client/cli/main.ts";
import { processIo } from "../client/cli/process-io.ts";
import project from "../package.json" with { type: "json" };
import { LOCAL_COMMANDS } from "./commands.ts";

process.exitCode = await runCommandLine(processIo(), process.argv.slice(2), project.version, LOCAL_COMMANDS);
