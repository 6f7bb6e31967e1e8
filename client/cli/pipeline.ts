/** `sheaf pipeline run` and `sheaf pipeline nodes`: pipelines at a service. */
import type { Command } from "commander";
import { paintFor } from "./colors.ts";
import { groupOf } from "./common-options.ts";
import { type ConnectionArguments, connect } from "./connection.ts";
import { addReadingOptions, addSourceLocations, commandOf } from "./extraction-options.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { addWaitOptions, parseCount, parseGuid, parseWholeNumber } from "./options.ts";
import { printJson } from "./outcome.ts";
import { type ProcessArguments, processDocument } from "./process.ts";
import { drawTable } from "./table.ts";

export const PIPELINE_GROUP = "graphs of nodes over a document; check, compile and graph ask no service";

interface NodesArguments extends ConnectionArguments {
  guid: string;
  run?: number;
  batchIndex?: number;
}

/** Prints the nodes of a run: a table on a terminal, else JSON. @returns the exit code */
async function nodes(io: Io, { guid, run, batchIndex, ...args }: NodesArguments): Promise<number> {
  const found = await connect(io, args).pipelines.nodes(guid, { run, batchIndex, signal: io.signal });
  if (!io.stdout.isTTY) await printJson(io, JSON.stringify(found));
  else {
    const rows = found.map(({ id, type, status, warnings }) =>
      [id, type, status, (warnings ?? []).join("; ")].map((text) => ({ text })),
    );
    const style = { paint: paintFor(io.stdout, io.env), columns: io.stdout.columns };
    await io.stdout.write(drawTable(["NODE", "TYPE", "STATUS", "WARNINGS"], rows, style));
  }
  return EXIT_CODES.success;
}

/** Runs a pipeline over a document, and prints its result. @returns the exit code */
async function runPipeline(io: Io, args: ProcessArguments & { pipeline: string }): Promise<number> {
  return processDocument(io, connect(io, args), await commandOf(io, args), args);
}

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  const group = groupOf(program, "pipeline", PIPELINE_GROUP);
  const running = group
    .command("run")
    .description("run a pipeline over a document, and print its result; the same as process --pipeline")
    .argument("<definition>", "a definition as JSON")
    .argument("<file>", "the document; - for standard input");
  addWaitOptions(addSourceLocations(addReadingOptions(running)), "the result").action(
    (pipeline: string, file: string) =>
      perform((io) =>
        runPipeline(io, {
          ...running.optsWithGlobals<Omit<ProcessArguments, "file" | "pipeline">>(),
          pipeline,
          file,
        }),
      ),
  );
  group
    .command("nodes")
    .description("print the nodes of a pipeline's run, also of one that is under way")
    .argument("<guid>", "the job", parseGuid)
    .option("--run <number>", "an earlier run (default: the newest)", parseWholeNumber)
    .option("--batch-index <number>", "of a batch: its document, from 0", parseCount)
    .action((guid: string, _options: unknown, command: Command) =>
      perform((io) => nodes(io, { ...command.optsWithGlobals<Omit<NodesArguments, "guid">>(), guid })),
    );
}
