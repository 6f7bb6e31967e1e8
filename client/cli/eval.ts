import { type Command, InvalidArgumentError, Option } from "commander";
import { compareReports } from "../eval/compare.ts";
import { markdownOf } from "../eval/markdown.ts";
import { type Report, readReport, reportOf } from "../eval/report.ts";
import { parseThreshold, shortfallsOf, type Threshold } from "../eval/thresholds.ts";
import { type ConnectionArguments, connect, serviceOf } from "./connection.ts";
import { deleteJobs, type EvaluationOptions, evaluateSet, savePictures } from "./eval-run.ts";
import { readJson, readSet, SET_LAYOUT_HELP } from "./eval-set.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { DEFAULT_TIMEOUT_SECONDS, parseSeconds, parseWholeNumber } from "./options.ts";

export interface EvalArguments extends ConnectionArguments, EvaluationOptions {
  set: string;
  worst: number;
  json?: string;
  markdown?: string;
  compare?: string;
  failIfWorse?: boolean;
  pictures?: string;
  threshold?: Threshold[];
}

async function readOlderReport(io: Io, file: string | undefined): Promise<Report | undefined> {
  if (file === undefined) return undefined;
  const report = readReport(await readJson(io, file));
  if (report === undefined) throw new UsageError(`${file} is no report of \`sheaf eval --json\``);
  return report;
}

async function writeIfNamed(io: Io, file: string | undefined, content: string): Promise<void> {
  if (file === "-") await io.stdout.write(content);
  else if (file !== undefined) await io.write(file, content);
}

/** Measures the service with a golden set. @returns the exit code: 1 when a threshold is missed */
export async function run(io: Io, args: EvalArguments): Promise<number> {
  const { threshold: thresholds = [], pictures, json, worst } = args;
  if (args.failIfWorse === true && args.compare === undefined) {
    throw new UsageError("--fail-if-worse needs --compare: worse than what?");
  }
  const set = await readSet(io, args.set);
  const older = await readOlderReport(io, args.compare);
  const client = connect(io, args);
  const evaluated = await evaluateSet(io, client, set, args);
  const { apiUrl: service } = serviceOf(io, args);
  const report = reportOf(evaluated, { set: set.name, service, createdAt: new Date().toISOString(), worst });
  if (pictures !== undefined) await savePictures(io, client, report, pictures);
  if (args.delete) await deleteJobs(io, client, evaluated);

  const comparison = older === undefined ? undefined : compareReports(older, report);
  const shortfalls = shortfallsOf(report, thresholds);
  const markdown = markdownOf(report, { shortfalls, ...(comparison === undefined ? {} : { comparison }) });
  await writeIfNamed(io, json, `${JSON.stringify(report, null, 2)}\n`);
  await writeIfNamed(io, args.markdown ?? (json === "-" ? undefined : "-"), markdown);

  for (const { field, measure, least, reached } of shortfalls) {
    const is = reached === null ? "has nothing to measure" : `is ${reached.toFixed(3)}`;
    io.stderr.write(`${measure} of ${field ?? "all fields"} ${is}; ${least} is asked for\n`);
  }
  const worse =
    args.failIfWorse === true ? (comparison?.changes ?? []).filter(({ verdict }) => verdict === "worse") : [];
  for (const { field, measure, before, after } of worse) {
    io.stderr.write(`${measure} of ${field ?? "all fields"} went from ${before.toFixed(3)} to ${after.toFixed(3)}\n`);
  }
  return shortfalls.length + worse.length === 0 ? EXIT_CODES.success : EXIT_CODES.failed;
}

function addThreshold(value: string, before: Threshold[] = []): Threshold[] {
  const one = parseThreshold(value);
  if (one === undefined) throw new InvalidArgumentError("It is recall=0.9, or /total:precision=0.95 for one field.");
  return [...before, one];
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("eval")
    .description("measure the service by documents whose values are known")
    .argument("<set>", "a folder of documents with what they state")
    .option("--concurrency <number>", "documents under way at a time", parseWholeNumber, 4)
    .option("--timeout <seconds>", "longest wait for a document", parseSeconds, DEFAULT_TIMEOUT_SECONDS)
    .option("--json <file>", "write the report as JSON; - for standard output")
    .option("--markdown <file>", "write the report as Markdown (default: to standard output)")
    .option("--worst <number>", "how many of the worst values are named", parseWholeNumber, 20)
    .option("--pictures <folder>", "save the pages of the worst values, with their boxes")
    .option(
      "--threshold <[field:]measure=share>",
      "exit code 1 below it: recall, precision, exact … (again for more)",
      addThreshold,
    )
    .option("--compare <file>", "an older report in JSON: what got better, what worse")
    .option("--fail-if-worse", "exit code 1 when a field got worse beyond the interval")
    .addOption(new Option("--delete", "delete the jobs in the end").default(false, "they stay"))
    .addHelpText("after", SET_LAYOUT_HELP)
    .action((set: string, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<EvalArguments, "set">>(), set })),
    );
}
