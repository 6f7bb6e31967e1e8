/** A queue's event as Lambda sends it, and the answer that names the messages to deliver again. */
import { describe, expect, it } from "vitest";
import { type BatchOptions, workOffBatch } from "../../../../functions/adapters/aws/queue-event.ts";
import { BadRequest } from "../../../../functions/ports/errors.ts";
import type { QueueMessage } from "../../../../functions/ports/queue.ts";

/** After "Example Amazon SQS message event", AWS Lambda Developer Guide. */
const record = (messageId: string, body: string, receives = 1) => ({
  messageId,
  receiptHandle: `AQEB${messageId}==`,
  body,
  attributes: {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: "1545082649183",
    SenderId: "AIDAIENQZJOLO23YVJ4VO",
    ApproximateFirstReceiveTimestamp: "1545082649185",
  },
  messageAttributes: {},
  md5OfBody: "e4e68fb7bd0e697a0ae8f1bb342846b3",
  eventSource: "aws:sqs",
  eventSourceARN: "arn:aws:sqs:us-east-2:123456789012:my-queue",
  awsRegion: "us-east-2",
});

function options(work: (message: QueueMessage) => Promise<void>) {
  const retried: [string, number][] = [];
  const errors: unknown[] = [];
  const given: BatchOptions = {
    queue: "work",
    work,
    retry: async ({ receipt }, seconds) => void retried.push([receipt, seconds]),
    onError: (error) => void errors.push(error),
  };
  return { given, retried, errors };
}

describe("workOffBatch", () => {
  it("gives messages the driver's own form", async () => {
    const seen: QueueMessage[] = [];
    const { given } = options(async (message) => void seen.push(message));
    const event = { Records: [record("1", '{"kind":"a"}'), record("2", "no JSON", 3)] };
    expect(await workOffBatch(event, given)).toEqual({ batchItemFailures: [] });
    expect(seen).toEqual([
      { id: "1", queue: "work", body: { kind: "a" }, receives: 1, receipt: "m/AQEB1==" },
      { id: "2", queue: "work", body: "no JSON", receives: 3, receipt: "m/AQEB2==" },
    ]);
  });

  it("works on all messages concurrently, names exactly the failed ones, and has them retried early", async () => {
    let together = 0;
    const { given, retried } = options(async ({ body }) => {
      together += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(together).toBe(4);
      if (body !== "good") throw new Error("bad");
    });
    const event = {
      Records: [record("1", '"bad"'), record("2", '"good"'), record("3", '"bad"', 4), record("4", '"bad"', 5)],
    };
    expect(await workOffBatch(event, given)).toEqual({
      batchItemFailures: [{ itemIdentifier: "1" }, { itemIdentifier: "3" }, { itemIdentifier: "4" }],
    });
    expect(retried.sort()).toEqual([
      ["m/AQEB1==", 5],
      ["m/AQEB3==", 320],
      ["m/AQEB4==", 0],
    ]);
  });

  it("names failed messages also when they cannot be retried early", async () => {
    const { given, errors } = options(() => Promise.reject(new Error("bad")));
    const broken = new Error("throttled");
    const answer = await workOffBatch(
      { Records: [record("1", "1")] },
      { ...given, retry: () => Promise.reject(broken) },
    );
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "1" }] });
    expect(errors).toEqual([broken]);
  });

  it.each([{}, null, { Records: [{ messageId: "1" }] }, { Records: "x" }])(
    "refuses any other event: %j",
    async (event) => {
      const { given } = options(() => Promise.reject(new Error("Nobody should ask")));
      await expect(workOffBatch(event, given)).rejects.toThrow(BadRequest);
    },
  );

  it("extends a message's invisibility while it is worked on, and no longer", async () => {
    const work = async () => new Promise<void>((resolve) => setTimeout(resolve, 120));
    const { given, retried } = options(work);
    const done = await workOffBatch({ Records: [record("1", '"a"')] }, { ...given, holdSeconds: 0.1 });
    expect(done).toEqual({ batchItemFailures: [] });
    const times = retried.length;
    // At the beginning, and three times during the hold time; a busy machine may be late.
    expect(times).toBeGreaterThanOrEqual(2);
    expect(new Set(retried.map((one) => JSON.stringify(one)))).toEqual(new Set(['["m/AQEB1==",0.1]']));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(retried).toHaveLength(times);
  });

  it("retries a failed message at the requested time, whatever its hold time", async () => {
    const { given, retried } = options(() => Promise.reject(new Error("bad")));
    await workOffBatch({ Records: [record("1", '"a"', 2)] }, { ...given, holdSeconds: 45 });
    expect(retried).toEqual([
      ["m/AQEB1==", 45],
      ["m/AQEB1==", 20],
    ]);
  });

  it("works on a message also when it cannot be hidden", async () => {
    const worked: string[] = [];
    const { given, errors } = options(async ({ id }) => void worked.push(id));
    const retry = () => Promise.reject(new Error("busy"));
    await workOffBatch({ Records: [record("1", '"a"')] }, { ...given, retry, holdSeconds: 45 });
    expect(worked).toEqual(["1"]);
    expect(errors).toHaveLength(1);
  });
});
