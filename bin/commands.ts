/** The commands of this installation, besides those that only need a service. */
import type { CommandModule } from "../client/cli/program.ts";
import * as admin from "./admin.ts";
import * as pipeline from "./pipeline.ts";
import * as serve from "./serve.ts";

export const LOCAL_COMMANDS: readonly CommandModule[] = [admin, pipeline, serve];
