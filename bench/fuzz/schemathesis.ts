/** Requests made by schemathesis, which knows the OpenAPI document only, and what it finds. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The version that the findings are judged with. */
export const REQUIREMENT = "schemathesis==4.32.0";

/** Requests that may fit the document and are refused all the same, each with the reason why its schema cannot say so. */
export const EXPLAINED_REJECTIONS: Readonly<Record<string, string>> = {};

/** The tool's name of a request that fits the document and is refused. */
const REJECTION = "RejectedPositiveData";
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
  "positive_data_acceptance",
  "ignored_auth",
  "use_after_free",
  "ensure_resource_availability",
];

export interface Target {
  url: string;
  key: string;
  /** A finished job, which plain requests read. */
  guid: string;
  /** A job that plain requests delete. */
  deletable: string;
}

export interface FuzzOptions {
  /** `plain`: each operation for itself. `stateful`: along the document's links. */
  mode: "plain" | "stateful";
  /** Time for all; undefined: until all examples are sent. */
  seconds?: number;
  /** Random requests for each operation. */
  examples: number;
}

export interface FuzzResult {
  /** Requests sent. */
  sent: number;
  /** Operations that got requests. */
  tested: number;
  /** `METHOD /path: check` of each failure, with its message, but for explained rejections. */
  failures: string[];
  /** Explained rejections that were met. */
  rejections: string[];
  /** The tool's output. */
  text: string;
}

const KILL_AFTER_MS = 120_000;
const DEFAULT_SECONDS = 300;

interface Report {
  complete: boolean;
  operations: { selected: number; tested: number } | null;
  test_cases: { generated: number };
  failures: { type: string; title: string; count: number; operations: string[] }[];
  errors: { title: string; count: number }[];
}

/** @throws Error when the run did not end, or did not reach each operation of a plain run */
function readReport(text: string, { mode }: FuzzOptions): Omit<FuzzResult, "text"> {
  const { complete, operations, test_cases, failures, errors } = JSON.parse(text) as Report;
  if (!complete || operations === null || operations.tested === 0) throw new Error("schemathesis did not finish");
  if (mode === "plain" && operations.tested < operations.selected) {
    throw new Error(`Only ${operations.tested} of ${operations.selected} operations were tested`);
  }
  const found = failures.flatMap(({ type, title, operations: where }) =>
    where.map((operation) => ({ operation, rejected: type === REJECTION, text: `${operation}: ${title}` })),
  );
  const isExplained = (one: (typeof found)[number]) => one.rejected && one.operation in EXPLAINED_REJECTIONS;
  return {
    sent: test_cases.generated,
    tested: operations.tested,
    failures: [
      ...found.filter((one) => !isExplained(one)).map((one) => one.text),
      ...errors.map(({ title, count }) => `${title} (${count})`),
    ],
    rejections: found.filter(isExplained).map((one) => one.operation),
  };
}

/** Runs the tool's own command line. @returns its output, whatever its exit code */
function runTool(python: string, args: string[], cwd: string, timeout: number): Promise<string> {
  return new Promise((done) => {
    execFile(python, args, { cwd, timeout, maxBuffer: 2 ** 28 }, (_error, stdout, stderr) => done(stdout + stderr));
  });
}

/** Sends requests and collects what does not fit the document. @throws Error when the tool did not work */
export async function fuzz(python: string, target: Target, options: FuzzOptions): Promise<FuzzResult> {
  const directory = mkdtempSync(join(tmpdir(), "sheaf-schemathesis-"));
  const report = join(directory, "report.json");
  // Links give a stateful run its GUIDs.
  const fixed = `[parameters]\nguid = "${target.guid}"\n\n[[operations]]\ninclude-name = "DELETE /job/{guid}"\nparameters = { guid = "${target.deletable}" }\n`;
  writeFileSync(join(directory, "schemathesis.toml"), options.mode === "plain" ? fixed : "");
  const phases = options.mode === "plain" ? "examples,coverage,fuzzing" : "stateful";
  const settings =
    `--phases ${phases} --max-examples ${options.examples} --continue-on-failure --generation-deterministic --no-shrink ` +
    `--output-sanitize false --output-truncate false --checks ${CHECKS.join(",")} --report-json-path ${report}`;
  const args = ["-m", "schemathesis.cli", "--no-color", "run", `${target.url}/openapi.json`];
  args.push("--header", `Authorization: Bearer ${target.key}`, ...settings.split(" "));
  if (options.seconds !== undefined) args.push("--max-time", String(options.seconds));
  try {
    const seconds = options.seconds ?? DEFAULT_SECONDS;
    const text = await runTool(python, args, directory, seconds * 1000 + KILL_AFTER_MS);
    return { text, ...readReport(readFileSync(report, "utf8"), options) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
