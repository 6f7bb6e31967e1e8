/** Tasks in another function: request, answer, and the meaning of a dead function. */
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, describe, expect, it } from "vitest";
import { openRemoteEngine, runRemoteTask } from "../../../../functions/adapters/aws/remote-engine.ts";
import { inspectTask } from "../../../../functions/engine/tasks/inspect.ts";
import { pageImageTask } from "../../../../functions/engine/tasks/page-image.ts";
import { AppError, NotFound, UnprocessableEntity } from "../../../../functions/ports/errors.ts";

const client = new LambdaClient({ region: "eu-central-1" });
// This client, not its class: other files of the process have real ones.
const lambda = mockClient(client);
afterEach(() => lambda.reset());

const PDF = "application/pdf";
const kept = new Map<string, Uint8Array>();
const blobs = {
  get: async (key: string) => kept.get(key),
  async put(key: string, body: unknown) {
    kept.set(key, body as Uint8Array);
    return { etag: "", size: 0 };
  },
  async delete(key: string) {
    kept.delete(key);
  },
};
const clock = { now: () => 1000, guid: () => "a-guid" };
const engine = openRemoteEngine({ client, functionName: "look", blobs, clock });
const limits = { deadline: 2000 };
const look = () => engine.run(inspectTask, { bytes: new Uint8Array([1, 2]), mimeType: PDF }, limits);
const draw = (marks?: { sources: Uint8Array; pointers: string[] }) => {
  const options = { mimeType: PDF, pageIndex: 3, ...(marks === undefined ? {} : { marks }) };
  return engine.run(pageImageTask, { bytes: new Uint8Array([1]), options }, limits);
};

const answers = (payload: unknown, failure?: string) =>
  lambda.on(InvokeCommand).resolves({
    Payload: Buffer.from(JSON.stringify(payload)) as never,
    ...(failure === undefined ? {} : { FunctionError: failure }),
  });

describe("openRemoteEngine", () => {
  it("stores the bytes in a temporary file, names it, and removes it", async () => {
    let seen: Uint8Array | undefined;
    lambda.on(InvokeCommand).callsFake(async () => {
      seen = kept.get("tmp/inspect/a-guid-0");
      return { Payload: Buffer.from('{"value":{"pageCount":3}}') };
    });
    expect(await look()).toEqual({ pageCount: 3 });
    expect(seen).toEqual(new Uint8Array([1, 2]));
    expect(kept.size).toBe(0);
    const { FunctionName, Payload } = lambda.call(0).args[0].input as { FunctionName: string; Payload: string };
    expect(FunctionName).toBe("look");
    expect(JSON.parse(Payload)).toEqual({
      task: "inspect",
      payload: { bytes: { $bytes: "tmp/inspect/a-guid-0" }, mimeType: PDF },
      answerPrefix: "tmp/inspect/a-guid-answer",
    });
  });

  it("throws a refusal unchanged, and removes the bytes", async () => {
    answers({ refused: { kind: "UnprocessableEntity", message: "The document is empty" } });
    await expect(look()).rejects.toThrow(new UnprocessableEntity("The document is empty"));
    answers({ refused: { kind: "ServiceUnavailable", message: "Later" } });
    await expect(look()).rejects.toMatchObject({ kind: "ServiceUnavailable", message: "Later" });
    answers({ refused: { kind: "NotFound", message: "There is no such page" } });
    await expect(draw()).rejects.toThrow(new NotFound("There is no such page"));
    expect(kept.size).toBe(0);
  });

  it.each([
    [{ errorType: "Sandbox.Timedout", errorMessage: "Task timed out after 20.00 seconds" }, "takes too long"],
    [{ errorType: "Runtime.ExitError", errorMessage: "Runtime exited with error: signal: killed" }, "more memory"],
    [{ errorType: "RuntimeError", errorMessage: "unreachable" }, "appears to be corrupted"],
  ])("refuses a document whose function ends by %o", async (failure, sentence) => {
    answers(failure, "Unhandled");
    await expect(look()).rejects.toBeInstanceOf(UnprocessableEntity);
    await expect(look()).rejects.toThrow(sentence);
  });

  it("refuses a document whose function answers in another shape", async () => {
    answers({ value: { pageCount: "three" } });
    await expect(look()).rejects.toThrow("appears to be corrupted");
    answers({ other: 1 });
    await expect(look()).rejects.toThrow("appears to be corrupted");
  });

  it("waits no longer than its deadline", async () => {
    lambda.on(InvokeCommand).callsFake(async (_input, _client) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      throw new Error("aborted");
    });
    const soon = engine.run(inspectTask, { bytes: new Uint8Array(), mimeType: PDF }, { deadline: 1001 });
    await expect(soon).rejects.toThrow("opening it takes too long");
  });

  it("hides the details of a service error", async () => {
    lambda.on(InvokeCommand).rejects(Object.assign(new Error("arn:secret"), { $metadata: { httpStatusCode: 403 } }));
    const failure = await look().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ kind: "InternalServerError" });
    expect(String(failure)).not.toContain("secret");
  });

  it("reads an answer's bytes from their file, and removes the file", async () => {
    lambda.on(InvokeCommand).callsFake(async ({ Payload }) => {
      const { payload, answerPrefix } = JSON.parse(Payload);
      expect(payload.options).toEqual({ mimeType: PDF, pageIndex: 3 });
      kept.set(`${answerPrefix}-0`, new Uint8Array([7]));
      return { Payload: Buffer.from(JSON.stringify({ value: { $bytes: `${answerPrefix}-0` } })) };
    });
    expect(await draw()).toEqual(new Uint8Array([7]));
    expect(kept.size).toBe(0);
  });

  it("sends all bytes of a payload, nested ones too", async () => {
    lambda.on(InvokeCommand).callsFake(async ({ Payload }) => {
      const { payload, answerPrefix } = JSON.parse(Payload);
      const { marks } = payload.options;
      expect(marks).toEqual({ sources: { $bytes: "tmp/inspect/a-guid-1" }, pointers: ["/a"] });
      expect(kept.get(marks.sources.$bytes)).toEqual(new Uint8Array([2]));
      kept.set(`${answerPrefix}-0`, new Uint8Array([7]));
      return { Payload: Buffer.from(JSON.stringify({ value: { $bytes: `${answerPrefix}-0` } })) };
    });
    expect(await draw({ sources: new Uint8Array([2]), pointers: ["/a"] })).toEqual(new Uint8Array([7]));
    expect(kept.size).toBe(0);
  });
});

describe("runRemoteTask", () => {
  const written = new Map<string, unknown>();
  const stored = {
    get: async (key: string) => (key === "tmp/there" ? new Uint8Array([1]) : undefined),
    async put(key: string, body: unknown) {
      written.set(key, body);
      return { etag: "", size: 0 };
    },
  };
  const asked: unknown[] = [];
  const inspect = { name: "inspect", run: async () => ({ pageCount: 2 }) };
  const pageImage = {
    name: "pageImage",
    run: async (payload: { options: { pageIndex: number } }) => {
      asked.push(payload);
      if (payload.options.pageIndex > 1) throw new NotFound("There is no such page");
      return new Uint8Array([payload.options.pageIndex]);
    },
  };
  const tasks = [inspect, pageImage];
  const event = (task: string, key: string, options: object = {}) => ({
    task,
    payload: { bytes: { $bytes: key }, ...options },
    answerPrefix: "tmp/answer",
  });

  it("answers a task's value, and an AppError as data", async () => {
    const errors = [{ path: "/fields/a", message: "must be a number" }];
    expect(await runRemoteTask(event("inspect", "tmp/there"), stored, tasks)).toEqual({ value: { pageCount: 2 } });
    const refuse = {
      name: "inspect",
      run: async () => {
        throw new UnprocessableEntity("Broken", { errors });
      },
    };
    const refused = { kind: "UnprocessableEntity", message: "Broken", errors };
    expect(await runRemoteTask(event("inspect", "tmp/there"), stored, [refuse])).toEqual({ refused });
    expect(await runRemoteTask(event("inspect", "tmp/gone"), stored, tasks)).toMatchObject({
      refused: { kind: "UnprocessableEntity" },
    });
  });

  it("throws a defect, so that Lambda reports it", async () => {
    const defect = {
      name: "inspect",
      run: async () => {
        throw new RangeError("unreachable");
      },
    };
    await expect(runRemoteTask(event("inspect", "tmp/there"), stored, [defect])).rejects.toThrow(RangeError);
    await expect(runRemoteTask(event("transcribe", "tmp/there"), stored, tasks)).rejects.toThrow("does not carry");
  });

  it("neither reads nor writes files outside of tmp/", async () => {
    asked.length = 0;
    const payload = { bytes: { $bytes: "org/1/a" }, options: { pageIndex: 0 } };
    await runRemoteTask({ task: "pageImage", payload, answerPrefix: "tmp/answer" }, stored, tasks);
    expect(asked).toEqual([payload]);
    const elsewhere = { ...event("pageImage", "tmp/there"), answerPrefix: "org/1/a" };
    await expect(runRemoteTask(elsewhere, stored, tasks)).rejects.toThrow();
  });

  it("stores an answer's bytes in a temporary file", async () => {
    const draw = (pageIndex: number, marks?: object) =>
      runRemoteTask(
        event("pageImage", "tmp/there", { options: { pageIndex, ...(marks && { marks }) } }),
        stored,
        tasks,
      );
    expect(await draw(1)).toEqual({ value: { $bytes: "tmp/answer-0" } });
    expect(written.get("tmp/answer-0")).toEqual(new Uint8Array([1]));
    expect(await draw(2)).toMatchObject({ refused: { kind: "NotFound" } });
    expect(await draw(0, { sources: { $bytes: "tmp/there" }, pointers: ["/total"] })).toMatchObject({ value: {} });
    const marks = { sources: new Uint8Array([1]), pointers: ["/total"] };
    expect(asked.at(-1)).toMatchObject({ options: { pageIndex: 0, marks } });
    expect(await draw(0, { sources: { $bytes: "tmp/gone" }, pointers: [] })).toMatchObject({ refused: {} });
  });
});
