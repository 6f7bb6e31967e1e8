/** `sheaf pipeline`: the compiler's answer to a definition, without a service. */
import type { Command } from "commander";
import { groupOf } from "../client/cli/common-options.ts";
import { readText } from "../client/cli/document.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "../client/cli/io.ts";
import { PIPELINE_GROUP } from "../client/cli/pipeline.ts";
import type { CompiledPipeline } from "../statemachines/pipeline/compile.ts";
import type { Diagnostic } from "../statemachines/pipeline/diagnostics.ts";

type PipelineVerdict = { ok: true; pipeline: CompiledPipeline } | { ok: false; faults: readonly Diagnostic[] };

async function compileFile(io: Io, file: string): Promise<PipelineVerdict> {
  const text = await readText(io, file);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : String(error);
    throw new UsageError(`${file} is not valid JSON: ${reason}`);
  }
  // Loads the compiler and the validator of schemas only when needed.
  const { compileDefinition } = await import("../functions/service/pipelines/check-definition.ts");
  return compileDefinition(given);
}

const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const formatFault = ({ code, path, message }: Diagnostic): string => `${code} at ${path || "/"}: ${message}\n`;

interface PipelineOptions {
  json?: boolean;
}

async function check(io: Io, file: string, options: PipelineOptions): Promise<number> {
  const verdict = await compileFile(io, file);
  if (!verdict.ok) {
    const { faults } = verdict;
    const report = { valid: false, errors: faults, warnings: [] };
    await io.stdout.write(options.json ? formatJson(report) : faults.map(formatFault).join(""));
    return EXIT_CODES.failed;
  }
  const { warnings, definition } = verdict.pipeline;
  const { length } = definition.nodes;
  const told = `The pipeline is valid: ${length} ${length === 1 ? "node" : "nodes"}, at most ${definition.maxNodes} at once\n`;
  const lines = warnings.map((warning) => `warning: ${warning}\n`).join("");
  await io.stdout.write(options.json ? formatJson({ valid: true, errors: [], warnings }) : `${lines}${told}`);
  return EXIT_CODES.success;
}

/** The other commands' answer to a faulty definition. */
async function refuse(io: Io, faults: readonly Diagnostic[], options: PipelineOptions): Promise<number> {
  if (options.json) await io.stdout.write(formatJson({ valid: false, errors: faults }));
  else io.stderr.write(faults.map(formatFault).join(""));
  return EXIT_CODES.failed;
}

async function compile(io: Io, file: string, options: PipelineOptions): Promise<number> {
  const verdict = await compileFile(io, file);
  if (!verdict.ok) return refuse(io, verdict.faults, options);
  const { machine, warnings } = verdict.pipeline;
  await io.stdout.write(formatJson(options.json ? { valid: true, machine, warnings } : machine));
  return EXIT_CODES.success;
}

const mermaidSection = (title: string, chart: string): string => `## ${title}\n\n\`\`\`mermaid\n${chart}\`\`\`\n`;

async function graph(io: Io, file: string, options: PipelineOptions): Promise<number> {
  const verdict = await compileFile(io, file);
  if (!verdict.ok) return refuse(io, verdict.faults, options);
  const { drawGraph, drawPlan, needlessWaits } = await import("../statemachines/pipeline/draw.ts");
  const { pipeline } = verdict;
  const charts = { graph: drawGraph(pipeline.graph), plan: drawPlan(pipeline.plan, pipeline.graph) };
  const waits = needlessWaits(pipeline.plan, pipeline.graph);
  if (options.json) {
    await io.stdout.write(formatJson({ valid: true, ...charts, waits }));
    return EXIT_CODES.success;
  }
  const told = waits.map(({ node, waitsFor }) => `- ${node} waits for ${waitsFor}, on which it does not depend\n`);
  const text = [
    mermaidSection("What depends on what", charts.graph),
    mermaidSection("What runs beside what", charts.plan),
  ];
  await io.stdout.write([...text, ...(told.length > 0 ? [told.join("")] : [])].join("\n"));
  return EXIT_CODES.success;
}

/** Adds `pipeline check`, `pipeline compile` and `pipeline graph`. */
export function define(program: Command, perform: Perform): void {
  const parent = groupOf(program, "pipeline", PIPELINE_GROUP);
  const add = (
    name: string,
    text: string,
    run: (io: Io, file: string, options: PipelineOptions) => Promise<number>,
  ): void => {
    parent
      .command(name)
      .description(text)
      .argument("<file>", "a definition as JSON, - for standard input")
      .option("--json", "print JSON")
      .action((file: string, options: PipelineOptions) => perform((io) => run(io, file, options)));
  };
  add("check", "print every fault with its code and place, or the warnings; exit code 1 for faults", check);
  add("compile", "print the state machine that it becomes, in Amazon States Language", compile);
  add("graph", "print what depends on what, and what runs beside what, as Mermaid", graph);
}
