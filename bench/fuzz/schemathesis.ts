/** Requests made by schemathesis, which knows the OpenAPI document only, and what it finds. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The version that the findings are judged with. */
export const REQUIREMENT = "schemathesis==4.32.0";

/**
 * Requests that fit the document and are refused all the same: the sentence of the refusal, and the reason why a schema
 * cannot tell.
 */
export const EXPLAINED_REJECTIONS: readonly { refusal: RegExp; why: string }[] = [
  {
    refusal: /[Tt]he (part 'document'|document|PDF|image|file|zip)|^Processing failed: /,
    why: "The content of a document is no JSON: random bytes are of an unknown kind, broken, or have no text.",
  },
  {
    refusal: /pipeline cannot run|is not valid JSON|[Ss]chema|formula|is nested more than/,
    why: "A pipeline, a JSON Schema, a formula and JSON in a form's text have a grammar of their own, which the service checks.",
  },
  {
    refusal: /cursor|must be the id of|is a text, which has no rows|no webhook whose secret/,
    why: "The state of the service decides: a cursor is one that it gave, a table needs rows, a secret needs a webhook.",
  },
  {
    refusal:
      /pages like 1-3,7|pageRange names none|has no locations|over 10 MB|mapReduce|tools|Unicode|UTF-8|printable/,
    why: "Limits that tie members together or lie within a text: pages in order, sizes of a deployment, options of chunks.",
  },
  {
    refusal: /url |webhook/i,
    why: "A webhook's address must lead to another machine over the public network, which its text alone does not tell.",
  },
];

/** The tool's numbers of a request that fits the document and is refused, and of one that does not fit and is taken. */
const REJECTION = "ST202";
const ACCEPTANCE = "ST201";
/** Any 4xx refuses; the tool's own list has no 408, 413, 421 and 431. */
const REFUSALS = '[checks.negative_data_rejection]\nexpected-statuses = ["4xx", "5xx"]\n';
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
  /** Each failure with its answer, but for explained rejections. */
  failures: string[];
  /** Reasons of explained rejections that were met. */
  rejections: string[];
  /** The tool's output. */
  text: string;
}

const KILL_AFTER_MS = 120_000;
const DEFAULT_SECONDS = 300;

interface Report {
  complete: boolean;
  operations: { selected: number; tested: number } | null;
  test_cases: { generated: number; unique_failures: number };
  errors: { title: string; count: number }[];
}

export interface Failure {
  /** As `ST202 Schema-valid request rejected`. */
  titles: string[];
  /** Faults of the request against the document, in the tool's words. */
  violations: string[];
  /** The request's body is a form. */
  isForm: boolean;
  /** The beginning of the answer. */
  answer: string;
}

/** The failures that the tool prints, one for each request. */
export function failuresIn(output: string): Failure[] {
  return output
    .split(/^\d+\. Test Case ID: /m)
    .slice(1)
    .map((text) => ({
      titles: [...text.matchAll(/^- (.+)$/gm)].map(([, title = ""]) => title),
      violations: (/^ +Invalid component:[\s\S]*?(?=^$)/m.exec(text)?.[0] ?? "")
        .split("\n")
        .filter((line) => /violates|Invalid syntax|\bin (?:query|headers?|path|cookies?)\b/.test(line))
        .map((line) => line.replace(/^ +(?:Invalid component: )?(?:in body )?-? ?/, "")),
      isForm: /Content-Type: multipart\/form-data/i.test(text),
      answer: (/^\[\d{3}\][\s\S]*?(?=^Reproduce with)/m.exec(text)?.[0] ?? "").replaceAll(/\s+/g, " ").slice(0, 400),
    }));
}

/** Faults that the tool counts against a form, and that the sent request does not show. */
const NOT_SENT = [
  // A part of a form has no type: a number or a null is sent as the text that the document asks for.
  /^(?:body: )?violates `type` at \/properties\/[^/]+ \(was string, became /,
  // The document forbids no further parameters, and the service ignores them.
  /^query: violates `additionalProperties`$/,
];

/** True for a form that only the tool takes for invalid. A list of several parts of one name is refused. */
export const fitsAsSent = ({ titles, violations, isForm }: Failure): boolean =>
  isForm &&
  titles.every((title) => title.startsWith(ACCEPTANCE)) &&
  violations.length > 0 &&
  violations.every((violation) => NOT_SENT.some((pattern) => pattern.test(violation)));

/** A deployment without payments answers their calls with 503, as the contract says; to the tool a fault of the server. */
const isWithoutPayments = ({ answer }: Failure): boolean => answer.includes("Payments are not configured here");

/** Why a rejection cannot be told by the document; undefined for any other failure. */
function whyOf({ titles, answer }: Failure): string | undefined {
  if (!titles.every((title) => title.startsWith(REJECTION))) return undefined;
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(answer)?.[1] ?? "";
  return EXPLAINED_REJECTIONS.find(({ refusal }) => refusal.test(message))?.why;
}

/** @throws Error when the run did not end, or did not reach each operation of a plain run */
function readReport(text: string, output: string, { mode }: FuzzOptions): Omit<FuzzResult, "text"> {
  const { complete, operations, test_cases, errors } = JSON.parse(text) as Report;
  const { generated: sent, unique_failures: unique } = test_cases;
  if (!complete || operations === null || operations.tested === 0) throw new Error("schemathesis did not finish");
  if (mode === "plain" && operations.tested < operations.selected) {
    throw new Error(`Only ${operations.tested} of ${operations.selected} operations were tested`);
  }
  const printed = failuresIn(output);
  if (printed.length < unique) throw new Error(`${unique} failures are counted, and ${printed.length} are printed`);
  const found = printed.filter((one) => !fitsAsSent(one) && !isWithoutPayments(one));
  return {
    sent,
    tested: operations.tested,
    failures: [
      ...found.filter((one) => whyOf(one) === undefined).map(({ titles, answer }) => `${titles.join(", ")}: ${answer}`),
      ...errors.map(({ title, count }) => `${title} (${count})`),
    ],
    rejections: [...new Set(found.flatMap((one) => whyOf(one) ?? []))],
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
  writeFileSync(join(directory, "schemathesis.toml"), `${options.mode === "plain" ? fixed : ""}${REFUSALS}`);
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
    return { text, ...readReport(readFileSync(report, "utf8"), text, options) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
