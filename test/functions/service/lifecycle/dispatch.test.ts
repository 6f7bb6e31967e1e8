/** Processing of the work queue: success, retries, and answers to waiting Tasks. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BadRequest, PayloadTooLarge, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { MAX_RECEIVES, retryDelaySeconds, WORK_QUEUE } from "../../../../functions/ports/queue.ts";
import type { TaskTokens } from "../../../../functions/ports/task-tokens.ts";
import { deleteJob } from "../../../../functions/service/lifecycle/delete-job.ts";
import { processMessage, type WorkHandler } from "../../../../functions/service/lifecycle/dispatch.ts";
import { enqueue } from "../../../../functions/service/queue/enqueue.ts";
import { sentenceOfCause } from "../../../../functions/service/runs/step-outcomes.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { uploaded } from "../../../support/runs.ts";
import { processMessages } from "../../../support/work.ts";

let at: TestPlatform;
beforeEach(() => {
  at = testPlatform();
});
afterEach(() => at.close());

type Answer = [kind: "succeed" | "fail", token: string, ...said: Json[]];

/** Task tokens that record their answers. @param waits true when the Task still waits */
function noted(
  refuse?: Error,
  waits: () => Promise<boolean> = async () => true,
): { tokens: TaskTokens; answers: Answer[]; beats: string[] } {
  const answers: Answer[] = [];
  const beats: string[] = [];
  const tokens: TaskTokens = {
    async succeed(token, output) {
      if (refuse !== undefined) throw refuse;
      answers.push(["succeed", token, output]);
      return true;
    },
    async fail(token, error, cause) {
      answers.push(["fail", token, error, JSON.parse(cause)]);
      return true;
    },
    heartbeat(token) {
      beats.push(token);
      return waits();
    },
  };
  return { tokens, answers, beats };
}

const failing = (error: Error): WorkHandler => {
  return () => Promise.reject(error);
};

const message = (members: { [member: string]: Json }, receives = 1) => ({
  id: "m-1",
  body: { kind: "test", organizationId: 1, ...members },
  receives,
});

describe("processMessage", () => {
  it("does the work for the named organization", async () => {
    const guid = await uploaded(at.other);
    const mine = await uploaded(at.org, "y");
    await deleteJob(at.other, guid);
    expect((await at.other.blobs.list("")).blobs).toHaveLength(1);
    expect(await processMessages(at)).toMatchObject([
      { body: { kind: "delete-job", organizationId: 2, guid }, receives: 1 },
    ]);
    expect((await at.other.blobs.list("")).blobs).toEqual([]);
    expect((await at.org.blobs.list("")).blobs.map(({ key }) => key)).toEqual([`jobs/${mine}/source`]);
  });

  it("repeats finished work without harm", async () => {
    const guid = await uploaded(at.org);
    await deleteJob(at.org, guid);
    for (const kind of ["delete-job", "delete-upload", "delete-job"] as const) await enqueue(at.org, { kind, guid });
    expect(await processMessages(at)).toHaveLength(4);
  });

  it.each<[string, Json]>([
    ["of an unknown kind", { kind: "constructor", organizationId: 1 }],
    ["without a kind", { organizationId: 1 }],
    ["without an organization", { kind: "delete-job", guid: "g" }],
    ["of an organization that cannot be", { kind: "delete-job", guid: "g", organizationId: 0 }],
    ["without its job", { kind: "delete-job", organizationId: 1 }],
    ["that is a list", [1]],
    ["that is a text", "delete-job"],
  ])("fails on %s, which ends among the dead letters", async (_name, body) => {
    await at.platform.queue.send(WORK_QUEUE, body);
    for (let receives = 1; receives <= MAX_RECEIVES; receives += 1) {
      const [delivered] = await at.platform.queue.receive(WORK_QUEUE);
      if (delivered === undefined) throw new Error("It was passed over");
      expect(delivered.receives).toBe(receives);
      await expect(processMessage(at.platform, delivered)).rejects.toThrow();
      await at.platform.queue.retry(delivered, 0);
    }
    expect(await at.platform.queue.receive(WORK_QUEUE)).toEqual([]);
    expect(await at.platform.queue.deadLetters(WORK_QUEUE)).toMatchObject([{ body, receives: MAX_RECEIVES }]);
  });

  it("logs failed work without its content", async () => {
    const lines: unknown[] = [];
    const observer = { ...at.platform.observer, log: (...line: unknown[]) => void lines.push(line) };
    const handlers = { test: failing(new TypeError("the secret of the document")) };
    await expect(processMessage({ ...at.platform, observer }, message({}), { handlers })).rejects.toThrow(TypeError);
    expect(lines).toEqual([
      [
        "error",
        "work failed",
        expect.objectContaining({ message: "m-1", kind: "test", receives: 1, error: "TypeError" }),
      ],
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  it("retries after growing delays, and gives up after the last delivery", () => {
    expect([1, 2, 3, 4, 5].map(retryDelaySeconds)).toEqual([5, 20, 80, 320, 0]);
  });
});

describe("a waiting Task", () => {
  const token = { taskToken: "token-1" };

  it("gets the work's result", async () => {
    const { tokens, answers } = noted();
    const handlers = { test: async () => ({ pages: 3 }) };
    await processMessage(at.platform, message(token), { handlers, tokens });
    expect(answers).toEqual([["succeed", "token-1", { pages: 3 }]]);
  });

  it("gets a final failure at once, and the message is done", async () => {
    const { tokens, answers } = noted();
    const handlers = { test: failing(new BadRequest("The page is not there")) };
    await processMessage(at.platform, message(token), { handlers, tokens });
    expect(answers).toEqual([
      ["fail", "token-1", "BadRequest", { errorType: "BadRequest", errorMessage: "The page is not there" }],
    ]);
  });

  it("gets a transient failure at the last delivery only, which ends among the dead letters", async () => {
    const { tokens, answers } = noted();
    const handlers = { test: failing(new ServiceUnavailable("The reader is busy")) };
    const attempt = (receives: number) => processMessage(at.platform, message(token, receives), { handlers, tokens });
    for (let receives = 1; receives < MAX_RECEIVES; receives += 1) {
      await expect(attempt(receives)).rejects.toThrow("busy");
    }
    expect(answers).toEqual([]);
    await expect(attempt(MAX_RECEIVES)).rejects.toThrow("busy");
    expect(answers).toMatchObject([["fail", "token-1", "RetryableStepError", { errorMessage: "The reader is busy" }]]);
  });

  it("gets no internal details, also for an unknown kind of work", async () => {
    const { tokens, answers } = noted();
    const handlers = { test: failing(new TypeError("reading 'secret'")) };
    await expect(processMessage(at.platform, message(token, MAX_RECEIVES), { handlers, tokens })).rejects.toThrow(
      TypeError,
    );
    const unknown = message({ ...token, kind: "unheard-of" }, MAX_RECEIVES);
    await expect(processMessage(at.platform, unknown, { handlers, tokens })).rejects.toThrow("unheard-of");
    const told = { errorType: "TypeError", errorMessage: "The service made an error" };
    expect(answers).toEqual([
      ["fail", "token-1", "TypeError", told],
      ["fail", "token-1", "TypeError", told],
    ]);
    expect(sentenceOfCause(JSON.stringify(told))).toBeUndefined();
  });

  it("gets a failure for a result that is too large", async () => {
    const { tokens, answers } = noted(new PayloadTooLarge("The work's output is too large"));
    await processMessage(at.platform, message(token), { handlers: { test: async () => "x" }, tokens });
    expect(answers).toMatchObject([["fail", "token-1", "PayloadTooLarge", {}]]);
  });

  it("gets heartbeats during long work", async () => {
    const { tokens, answers, beats } = noted();
    const { clock } = at.platform.engines;
    const handlers = {
      test: async () => {
        while (beats.length < 4) await clock.sleep(5);
        return null;
      },
    };
    await processMessage(at.platform, message(token), { handlers, tokens, heartbeatMs: 10 });
    const { length } = beats;
    expect(answers).toEqual([["succeed", "token-1", null]]);
    await clock.sleep(40);
    expect(beats).toEqual(Array.from({ length }, () => "token-1"));
  });

  it("causes no work once it is gone or waits anew; in doubt the work is done", async () => {
    let done = 0;
    const handlers = { test: async () => (done += 1) };
    const gone = noted(undefined, async () => false);
    await processMessage(at.platform, message(token), { handlers, tokens: gone.tokens });
    expect([done, gone.answers]).toEqual([0, []]);
    const unheard = noted(undefined, () => Promise.reject(new Error("Throttled")));
    await processMessage(at.platform, message(token), { handlers, tokens: unheard.tokens });
    expect([done, unheard.answers]).toEqual([1, [["succeed", "token-1", 1]]]);
  });

  it("returns its message to the queue where no tokens can be answered", async () => {
    const handlers = { test: async () => null };
    await expect(processMessage(at.platform, message(token), { handlers })).rejects.toThrow("no way to answer");
  });
});
