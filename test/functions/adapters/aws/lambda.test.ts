/** Helpers around a Lambda function: its end, its log, and its time limit. */
import { describe, expect, it } from "vitest";
import { openLambdaEngine } from "../../../../functions/adapters/aws/lambda-engine.ts";
import { describeLambdaFailure } from "../../../../functions/adapters/aws/lambda-failures.ts";
import { lambdaObserver } from "../../../../functions/adapters/aws/observer.ts";
import { run as readRun } from "../../../../functions/engine/tasks/read.run.ts";
import { readTask } from "../../../../functions/engine/tasks/read.ts";
import { transcribeTask } from "../../../../functions/engine/tasks/transcribe.ts";
import { sentenceOfCause } from "../../../../functions/service/runs/step-outcomes.ts";

describe("describeLambdaFailure", () => {
  const sentences = { memory: "Too big", deadline: "Too late" };
  const told = (errorType: string, errorMessage: string) =>
    sentenceOfCause(describeLambdaFailure(JSON.stringify({ errorType, errorMessage }), sentences));

  it("translates a function's end to the job's sentence", () => {
    expect(told("Sandbox.Timedout", "RequestId: 1 Error: Task timed out after 300.00 seconds")).toBe("Too late");
    expect(told("Runtime.ExitError", "RequestId: 1 Error: Runtime exited with error: signal: killed")).toBe("Too big");
    expect(told("Runtime.OutOfMemory", "")).toBe("Too big");
  });

  it("leaves the code's own errors unchanged", () => {
    expect(told("JobFailure", "As it was")).toBe("As it was");
    expect(told("TypeError", "x is undefined")).toBeUndefined();
    expect(describeLambdaFailure("no JSON", sentences)).toBe("no JSON");
    expect(describeLambdaFailure("null", sentences)).toBe("null");
  });
});

describe("the observer", () => {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const observer = lambdaObserver({ write, level: "info", now: () => 1000, namespace: "Sheaf" });
  const last = () => JSON.parse(lines.at(-1) ?? "null");

  it("writes one line per message, from its level on", () => {
    observer.log("debug", "not this");
    expect(lines).toEqual([]);
    observer.log("warn", "this", { job: "a" });
    expect(lines.at(-1)).toMatch(/^\{.*\}\n$/);
    expect(last()).toEqual({ time: "1970-01-01T00:00:01.000Z", level: "warn", message: "this", job: "a" });
  });

  it("writes metrics in CloudWatch's format", () => {
    observer.count("runs_settled_total", { status: "FAILED", reason: "" }, 2);
    expect(last()).toEqual({
      _aws: {
        Timestamp: 1000,
        CloudWatchMetrics: [
          { Namespace: "Sheaf", Dimensions: [["status"]], Metrics: [{ Name: "runs_settled_total", Unit: "Count" }] },
        ],
      },
      status: "FAILED",
      runs_settled_total: 2,
    });
    observer.time("step_seconds", {}, 0.5);
    expect(last()).toMatchObject({ step_seconds: 0.5 });
    expect(last()._aws.CloudWatchMetrics[0]).toMatchObject({ Dimensions: [[]], Metrics: [{ Unit: "Seconds" }] });
  });
});

describe("the metrics of an invocation", () => {
  const lines: string[] = [];
  const observer = lambdaObserver({
    write: (line) => lines.push(line),
    level: "info",
    now: () => 1000,
    namespace: "Sheaf",
  });
  const written = () => lines.splice(0).map((line) => JSON.parse(line));
  const directive = (Dimensions: string[], ...Metrics: [string, string][]) => ({
    Namespace: "Sheaf",
    Dimensions: [Dimensions],
    Metrics: Metrics.map(([Name, Unit]) => ({ Name, Unit })),
  });

  it("are one line at its end, each with its own dimensions", async () => {
    const answer = await observer.duringInvocation(async () => {
      observer.count("http_requests_total", { status: "200", route: "GET /health" });
      observer.time("http_request_seconds", { route: "GET /health" }, 0.25);
      observer.time("sweep_seconds", { route: "GET /health" }, 0.5);
      observer.count("jobs_created_total");
      expect(lines).toEqual([]);
      return "answer";
    });
    expect(answer).toBe("answer");
    expect(written()).toEqual([
      {
        _aws: {
          Timestamp: 1000,
          CloudWatchMetrics: [
            directive(["route", "status"], ["http_requests_total", "Count"]),
            directive(["route"], ["http_request_seconds", "Seconds"], ["sweep_seconds", "Seconds"]),
            directive([], ["jobs_created_total", "Count"]),
          ],
        },
        route: "GET /health",
        status: "200",
        http_requests_total: 1,
        http_request_seconds: 0.25,
        sweep_seconds: 0.5,
        jobs_created_total: 1,
      },
    ]);
  });

  it("add up when they are counts, and keep each value when they are times", async () => {
    await observer.duringInvocation(async () => {
      for (const seconds of [0.25, 0.5]) {
        observer.time("work_seconds", { kind: "delete-job" }, seconds);
        observer.count("runs_settled_total", {}, 2);
      }
      for (let more = 0; more < 120; more += 1) observer.time("step_seconds", {}, more);
    });
    const [first, second, ...others] = written();
    expect(first).toMatchObject({ work_seconds: [0.25, 0.5], runs_settled_total: 4 });
    // 100 values are the format's limit.
    expect([first.step_seconds.length, second.step_seconds.length, others]).toEqual([100, 20, []]);
  });

  it("begin another line where one cannot hold both values of a dimension", async () => {
    await observer.duringInvocation(async () => {
      observer.count("http_requests_total", { status: "200" });
      observer.count("webhook_tries_total", { status: "DELIVERED" });
      observer.count("http_requests_total", {});
      observer.count("status", {});
    });
    const shown = written().map(({ _aws, ...members }) => members);
    expect(shown).toEqual([
      { status: "200", http_requests_total: 1 },
      { status: "DELIVERED", webhook_tries_total: 1, http_requests_total: 1 },
      { status: 1 },
    ]);
  });

  it("are written when it fails, and at once outside of it", async () => {
    const failed = observer.duringInvocation(async () => {
      observer.count("runs_settled_total");
      throw new Error("the step's own");
    });
    await expect(failed).rejects.toThrow("the step's own");
    expect(written()).toHaveLength(1);
    observer.count("runs_settled_total");
    expect(written()).toHaveLength(1);
  });
});

describe("openLambdaEngine", () => {
  it("runs tasks within their time, and not after it", async () => {
    let now = 0;
    const engine = openLambdaEngine({ clock: { now: () => now }, jobTimeoutSeconds: 300, tasks: [readRun] });
    const read = () =>
      engine.run(readTask, { bytes: Buffer.from("one line"), options: { mimeType: "text/plain" } }, { deadline: 1000 });
    expect((await read()).facts.pageCount).toBe(1);
    const late = read();
    now = 1001;
    await expect(late).rejects.toThrow("Processing timeout after 300 seconds");
    await expect(read()).rejects.toThrow("Processing timeout after 300 seconds");
  });

  it("refuses a task outside the function's bundle", async () => {
    const engine = openLambdaEngine({ clock: { now: () => 0 }, jobTimeoutSeconds: 300, tasks: [readRun] });
    await expect(
      engine.run(transcribeTask, { layout: new Uint8Array(), format: "plain" }, { deadline: 1 }),
    ).rejects.toThrow("carry");
  });
});
