/** The first look in another function: what is sent, what comes back, and what a dead function means. */
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, describe, expect, it } from "vitest";
import { inspectRemotely, openRemoteInspection } from "../../../../functions/adapters/aws/inspection.ts";
import type { PageImageOptions } from "../../../../functions/ports/engine.ts";
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
const engine = openRemoteInspection({ client, functionName: "look", blobs, clock });
const look = () => engine.inspect(new Uint8Array([1, 2]), PDF, { deadline: 2000 });

const answers = (payload: unknown, failure?: string) =>
  lambda.on(InvokeCommand).resolves({
    Payload: Buffer.from(JSON.stringify(payload)) as never,
    ...(failure === undefined ? {} : { FunctionError: failure }),
  });

describe("the caller's side", () => {
  it("lays the bytes beside, names them, and takes them away", async () => {
    let seen: Uint8Array | undefined;
    lambda.on(InvokeCommand).callsFake(async () => {
      seen = kept.get("tmp/inspect/a-guid");
      return { Payload: Buffer.from('{"pageCount":3}') };
    });
    expect(await look()).toEqual({ pageCount: 3 });
    expect(seen).toEqual(new Uint8Array([1, 2]));
    expect(kept.size).toBe(0);
    const { FunctionName, Payload } = lambda.call(0).args[0].input as { FunctionName: string; Payload: string };
    expect(FunctionName).toBe("look");
    expect(JSON.parse(Payload)).toEqual({ key: "tmp/inspect/a-guid", mimeType: PDF });
  });

  it("throws a refusal as it was, and takes the bytes away", async () => {
    answers({ refused: { status: 422, kind: "UnprocessableEntity", message: "The document is empty" } });
    await expect(look()).rejects.toThrow(new UnprocessableEntity("The document is empty"));
    answers({ refused: { status: 503, kind: "ServiceUnavailable", message: "Later" } });
    await expect(look()).rejects.toMatchObject({ status: 503, message: "Later" });
    expect(kept.size).toBe(0);
  });

  it.each([
    [{ errorType: "Sandbox.Timedout", errorMessage: "Task timed out after 20.00 seconds" }, "takes too long"],
    [{ errorType: "Runtime.ExitError", errorMessage: "Runtime exited with error: signal: killed" }, "more memory"],
    [{ errorType: "RuntimeError", errorMessage: "unreachable" }, "appears to be corrupted"],
  ])("says what %o means for the document", async (failure, sentence) => {
    answers(failure, "Unhandled");
    await expect(look()).rejects.toBeInstanceOf(UnprocessableEntity);
    await expect(look()).rejects.toThrow(sentence);
  });

  it("does not wait longer than it may", async () => {
    lambda.on(InvokeCommand).callsFake(async (_input, _client) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      throw new Error("aborted");
    });
    const soon = engine.inspect(new Uint8Array(), PDF, { deadline: 1001 });
    await expect(soon).rejects.toThrow("opening it takes too long");
  });

  it("tells nothing of a service that refused", async () => {
    lambda.on(InvokeCommand).rejects(Object.assign(new Error("arn:secret"), { $metadata: { httpStatusCode: 403 } }));
    const failure = await look().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ status: 500 });
    expect(String(failure)).not.toContain("secret");
  });

  it("has pages drawn, and leaves nothing behind", async () => {
    lambda.on(InvokeCommand).callsFake(async ({ Payload }) => {
      const { key, picture } = JSON.parse(Payload);
      expect(picture).toEqual({ pageIndex: 3, to: `${key}.png` });
      kept.set(picture.to, new Uint8Array([7]));
      return { Payload: Buffer.from('{"made":true}') };
    });
    const draw = () => engine.pageImage(new Uint8Array([1]), { mimeType: PDF, pageIndex: 3 }, { deadline: 2000 });
    expect(await draw()).toEqual(new Uint8Array([7]));
    expect(kept.size).toBe(0);
    answers({ refused: { status: 404, kind: "NotFound", message: "There is no such page" } });
    await expect(draw()).rejects.toThrow(new NotFound("There is no such page"));
  });

  it("has values drawn on a page, their source locations beside the document", async () => {
    const guids = ["first", "second"];
    const counting = { ...clock, guid: () => guids.shift() ?? "" };
    const remote = openRemoteInspection({ client, functionName: "look", blobs, clock: counting });
    lambda.on(InvokeCommand).callsFake(async ({ Payload }) => {
      const { key, picture } = JSON.parse(Payload);
      const to = "tmp/inspect/first.png";
      expect({ key, picture }).toEqual({
        key: "tmp/inspect/first",
        picture: { pageIndex: 3, to, marks: { sources: "tmp/inspect/second", pointers: ["/a"] } },
      });
      expect(kept.get("tmp/inspect/second")).toEqual(new Uint8Array([2]));
      kept.set(to, new Uint8Array([7]));
      return { Payload: Buffer.from('{"made":true}') };
    });
    const marks = { sources: new Uint8Array([2]), pointers: ["/a"] };
    const options = { mimeType: PDF, pageIndex: 3, marks };
    expect(await remote.pageImage(new Uint8Array([1]), options, { deadline: 2000 })).toEqual(new Uint8Array([7]));
    expect(kept.size).toBe(0);
  });

  it("reads no documents", async () => {
    await expect(engine.read(new Uint8Array(), { mimeType: PDF }, { deadline: 2000 })).rejects.toThrow("steps");
  });
});

describe("the function's side", () => {
  const written = new Map<string, unknown>();
  const blobs = {
    get: async (key: string) => (key === "tmp/there" ? new Uint8Array([1]) : undefined),
    async put(key: string, body: unknown) {
      written.set(key, body);
      return { etag: "", size: 0 };
    },
  };
  const asked: unknown[] = [];
  const pageImage = async (_bytes: Uint8Array, options: PageImageOptions) => {
    asked.push(options);
    const { pageIndex } = options;
    if (pageIndex > 1) throw new NotFound("There is no such page");
    return new Uint8Array([pageIndex]);
  };
  const inspect = async () => ({ pageCount: 2 });
  const acroForm = async () => new Uint8Array([9]);
  const event = (key: string) => ({ key, mimeType: PDF });

  it("answers the look, and an AppError as data", async () => {
    expect(await inspectRemotely(event("tmp/there"), blobs, { inspect, pageImage, acroForm })).toEqual({
      pageCount: 2,
    });
    const refuse = async () => {
      throw new UnprocessableEntity("Broken");
    };
    const refused = { status: 422, kind: "UnprocessableEntity", message: "Broken" };
    expect(await inspectRemotely(event("tmp/there"), blobs, { inspect: refuse, pageImage, acroForm })).toEqual({
      refused,
    });
    expect(await inspectRemotely(event("tmp/gone"), blobs, { inspect: refuse, pageImage, acroForm })).toMatchObject({
      refused: { status: 422 },
    });
  });

  it("lets a defect be one, and reads nothing but what lies under tmp/", async () => {
    const defect = async () => {
      throw new RangeError("unreachable");
    };
    await expect(inspectRemotely(event("tmp/there"), blobs, { inspect: defect, pageImage, acroForm })).rejects.toThrow(
      RangeError,
    );
    await expect(inspectRemotely(event("org/1/a"), blobs, { inspect, pageImage, acroForm })).rejects.toThrow();
  });

  it("reads a form and lays it beside", async () => {
    const read = { ...event("tmp/there"), form: { to: "tmp/there.json" } };
    expect(await inspectRemotely(read, blobs, { inspect, pageImage, acroForm })).toEqual({ made: true });
    expect(written.get("tmp/there.json")).toEqual(new Uint8Array([9]));
  });

  it("draws a page and lays it where it was asked to, under tmp/ only", async () => {
    const draw = (pageIndex: number, to: string) =>
      inspectRemotely({ ...event("tmp/there"), picture: { pageIndex, to } }, blobs, { inspect, pageImage, acroForm });
    expect(await draw(1, "tmp/there.png")).toEqual({ made: true });
    expect(written.get("tmp/there.png")).toEqual(new Uint8Array([1]));
    expect(await draw(2, "tmp/there.png")).toMatchObject({ refused: { status: 404 } });
    await expect(draw(1, "org/1/a.png")).rejects.toThrow();
  });

  it("draws values on a page, by source locations under tmp/ only", async () => {
    const draw = (sources: string) => {
      const picture = { pageIndex: 0, to: "tmp/there.png", marks: { sources, pointers: ["/total"] } };
      return inspectRemotely({ ...event("tmp/there"), picture }, blobs, { inspect, pageImage, acroForm });
    };
    expect(await draw("tmp/there")).toEqual({ made: true });
    const marks = { sources: new Uint8Array([1]), pointers: ["/total"] };
    expect(asked.at(-1)).toEqual({ mimeType: PDF, pageIndex: 0, marks });
    expect(await draw("tmp/gone")).toMatchObject({ refused: { status: 404 } });
    await expect(draw("org/1/sources.json")).rejects.toThrow();
  });
});
