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
