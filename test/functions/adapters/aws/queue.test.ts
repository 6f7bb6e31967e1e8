/** The SQS driver against exchanges written from SQS's API reference (AWS JSON protocol). */
import { createHash } from "node:crypto";
import { SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqsQueue } from "../../../../functions/adapters/aws/queue.ts";
import { type LocalRecords, openRecords } from "../../../../functions/adapters/local/records.ts";
import { AppError, BadRequest, NotFound, PayloadTooLarge } from "../../../../functions/ports/errors.ts";
import type { QueueMessage, WorkQueue } from "../../../../functions/ports/queue.ts";
import { manualClock } from "../../../support/clock.ts";
import { type Answer, clientOptions, Exchanges, type Seen } from "./exchanges.ts";

const HOST = "https://sqs.eu-central-1.amazonaws.com";
const URL = `${HOST}/123456789012/work`;
const DEAD_URL = `${HOST}/123456789012/work-dead`;

let exchanges: Exchanges;
let records: LocalRecords;
let queue: WorkQueue;
beforeEach(() => {
  exchanges = new Exchanges();
  const clock = manualClock();
  records = openRecords(":memory:", { clock });
  queue = openSqsQueue({
    client: new SQSClient({ ...clientOptions(exchanges), maxAttempts: 2 }),
    queues: { work: { url: URL, deadLetterUrl: DEAD_URL } },
    records,
    clock,
    maxReceives: 3,
  });
});
afterEach(() => {
  records.close();
  expect(exchanges.left).toBe(0);
});

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
const json = (body: unknown): Answer => ({
  status: 200,
  headers: { "content-type": "application/x-amz-json-1.0" },
  body: JSON.stringify(body),
});
const sent = ({ body }: Seen): Answer =>
  json({ MessageId: "5fea7756", MD5OfMessageBody: md5(JSON.parse(body.toString()).MessageBody) });
const refusal = (code: string, legacy = code): Answer => ({
  status: 400,
  headers: { "x-amzn-query-error": `${legacy};Sender` },
  body: JSON.stringify({ __type: `com.amazonaws.sqs#${code}`, message: "what the service says" }),
});
/** The operation and the parameters of a request. */
const asked = ({ headers, body }: Seen) => [headers["x-amz-target"]?.split(".")[1], JSON.parse(body.toString())];
const message = (id: string, Body: string, attributes: Record<string, string> = {}) => ({
  MessageId: id,
  ReceiptHandle: `AQEB${id}==`,
  Body,
  MD5OfBody: md5(Body),
  Attributes: { ApproximateReceiveCount: "1", SentTimestamp: "1500000000000", ...attributes },
});
const delivered = (receipt: string): QueueMessage => ({ id: "1", queue: "work", body: null, receives: 1, receipt });

describe("WorkQueue.send on SQS", () => {
  it("sends SendMessage, its text valid JSON and XML, its delay in whole seconds", async () => {
    exchanges.add(sent, sent);
    expect(await queue.send("work", { a: "ä\uffff\u0000\ufffe😀" })).toEqual({ id: "5fea7756" });
    await queue.send("work", [1], { delaySeconds: 0.2 });
    const text = '{"a":"ä\\uffff\\u0000\\ufffe😀"}';
    expect(exchanges.seen.map(asked)).toEqual([
      ["SendMessage", { QueueUrl: URL, MessageBody: text, DelaySeconds: 0 }],
      ["SendMessage", { QueueUrl: URL, MessageBody: "[1]", DelaySeconds: 1 }],
    ]);
    expect(exchanges.seen[0]).toMatchObject({
      method: "POST",
      host: HOST,
      path: "/",
      headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": "AmazonSQS.SendMessage" },
    });
  });

  it("sends a group as MessageGroupId, by which a standard queue is fair", async () => {
    exchanges.add(sent);
    await queue.send("work", 1, { group: "organization-7" });
    expect(exchanges.seen.map(asked)).toEqual([
      ["SendMessage", { QueueUrl: URL, MessageBody: "1", DelaySeconds: 0, MessageGroupId: "organization-7" }],
    ]);
  });

  it("refuses, like the local driver, a body too large, a delay too long, or an unknown queue", async () => {
    await expect(queue.send("work", "x".repeat(262_143))).rejects.toThrow(PayloadTooLarge);
    await expect(queue.send("work", 1, { delaySeconds: 901 })).rejects.toThrow(RangeError);
    await expect(queue.send("no queue", 1)).rejects.toThrow(BadRequest);
    await expect(queue.send("other", 1)).rejects.toThrow(NotFound);
    await expect(queue.receive("constructor")).rejects.toThrow(NotFound);
    await expect(queue.receive("work", { max: 11 })).rejects.toThrow(RangeError);
    await expect(queue.receive("work", { visibilitySeconds: 43_201 })).rejects.toThrow(RangeError);
    await expect(queue.receive("work", { waitSeconds: 21 })).rejects.toThrow(RangeError);
    await expect(queue.retry(delivered("m/h"), -1)).rejects.toThrow(RangeError);
    const options = { client: new SQSClient({}), queues: {}, records, clock: manualClock() };
    expect(() => openSqsQueue({ ...options, maxReceives: 0 })).toThrow(RangeError);
    expect(exchanges.seen).toEqual([]);
  });
});

describe("WorkQueue.receive on SQS", () => {
  it("sends ReceiveMessage with the delivery count", async () => {
    const messages = [message("1", '{"a":[null]}'), message("2", "not JSON", { ApproximateReceiveCount: "2" })];
    exchanges.add(json({ Messages: messages }), json({}));
    expect(await queue.receive("work", { max: 10, visibilitySeconds: 1.5, waitSeconds: 20 })).toEqual([
      { id: "1", queue: "work", body: { a: [null] }, receives: 1, receipt: "m/AQEB1==" },
      { id: "2", queue: "work", body: "not JSON", receives: 2, receipt: "m/AQEB2==" },
    ]);
    expect(await queue.receive("work")).toEqual([]);
    const always = { QueueUrl: URL, MessageSystemAttributeNames: ["ApproximateReceiveCount", "SentTimestamp"] };
    expect(exchanges.seen.map(asked)).toEqual([
      ["ReceiveMessage", { ...always, MaxNumberOfMessages: 10, VisibilityTimeout: 2, WaitTimeSeconds: 20 }],
      ["ReceiveMessage", { ...always, MaxNumberOfMessages: 1, VisibilityTimeout: 30, WaitTimeSeconds: 0 }],
    ]);
  });
});

describe("WorkQueue.done and retry on SQS", () => {
  it("send DeleteMessage and ChangeMessageVisibility", async () => {
    exchanges.add(json({}), json({}), json({}));
    await queue.done(delivered("m/AQEB1=="));
    await queue.retry(delivered("m/AQEB1=="), 0);
    await queue.retry(delivered("m/AQEB1=="), 12.1);
    const handle = { QueueUrl: URL, ReceiptHandle: "AQEB1==" };
    expect(exchanges.seen.map(asked)).toEqual([
      ["DeleteMessage", handle],
      ["ChangeMessageVisibility", { ...handle, VisibilityTimeout: 0 }],
      ["ChangeMessageVisibility", { ...handle, VisibilityTimeout: 13 }],
    ]);
  });

  it("ignore an outdated receipt, whatever SQS calls it", async () => {
    const stale = [
      refusal("ReceiptHandleIsInvalid"),
      refusal("MessageNotInflight", "AWS.SimpleQueueService.MessageNotInflight"),
      refusal("InvalidParameterValueException", "InvalidParameterValue"),
      refusal("InvalidParameterValue"),
    ];
    exchanges.add(...stale, ...stale);
    for (const _ of stale) await queue.done(delivered("m/old"));
    for (const _ of stale) await queue.retry(delivered("m/old"), 5);
    expect(exchanges.seen).toHaveLength(8);
  });

  it("retry for as long as SQS allows: 12 hours, including the time of the work", async () => {
    exchanges.add(refusal("InvalidParameterValue"), json({}), refusal("InvalidParameterValue"));
    await queue.retry(delivered("m/h"), 43_200);
    await queue.retry(delivered("m/h"), 42_300);
    const seconds = exchanges.seen.map((seen) => asked(seen)[1].VisibilityTimeout);
    expect(seconds).toEqual([43_200, 42_300, 42_300]);
  });

  it("leave a dead letter dead, and remove it from its queue", async () => {
    exchanges.add(json({}));
    await queue.retry(delivered("x/AQEB1=="), 0);
    await queue.done(delivered("x/AQEB1=="));
    expect(exchanges.seen.map(asked)).toEqual([["DeleteMessage", { QueueUrl: DEAD_URL, ReceiptHandle: "AQEB1==" }]]);
  });
});

describe("WorkQueue.deadLetters on SQS", () => {
  it("lists all of them, oldest first, and returns them", async () => {
    const letters = Array.from({ length: 12 }, (_, n) =>
      message(String(n), `${n}`, { ApproximateReceiveCount: String(4 + n), SentTimestamp: String(1e12 - n) }),
    );
    exchanges.add(json({ Messages: letters.slice(0, 10) }), json({ Messages: letters.slice(10) }), json({}));
    exchanges.add(json({ Successful: [], Failed: [] }), json({ Successful: [], Failed: [] }));
    expect(await queue.deadLetters("work")).toEqual(
      Array.from({ length: 12 }, (_, n) => 11 - n).map((n) => ({
        id: String(n),
        queue: "work",
        body: n,
        receives: 3,
        receipt: `x/AQEB${n}==`,
      })),
    );
    const look = {
      QueueUrl: DEAD_URL,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 60,
      WaitTimeSeconds: 1,
      MessageSystemAttributeNames: ["ApproximateReceiveCount", "SentTimestamp"],
    };
    const back = (from: number, to: number) => ({
      QueueUrl: DEAD_URL,
      Entries: letters
        .slice(from, to)
        .map(({ ReceiptHandle }, Id) => ({ Id: String(Id), ReceiptHandle, VisibilityTimeout: 0 })),
    });
    expect(exchanges.seen.map(asked)).toEqual([
      ["ReceiveMessage", look],
      ["ReceiveMessage", look],
      ["ReceiveMessage", look],
      ["ChangeMessageVisibilityBatch", back(0, 10)],
      ["ChangeMessageVisibilityBatch", back(10, 12)],
    ]);
  });

  it("ends when the first ones come again, with their newest receipts", async () => {
    const again = { ...message("1", "1"), ReceiptHandle: "newer" };
    exchanges.add(json({ Messages: [message("1", "1")] }), json({ Messages: [again] }), json({ Successful: [] }));
    expect(await queue.deadLetters("work")).toMatchObject([{ id: "1", receipt: "x/newer" }]);
  });
});

describe("an error of SQS", () => {
  it("is retried when transient, and then reported in one sentence", async () => {
    const busy = refusal("RequestThrottled");
    exchanges.add(busy, json({ Messages: [] }), busy, busy);
    expect(await queue.receive("work")).toEqual([]);
    await expect(queue.receive("work")).rejects.toMatchObject({
      name: "ServiceUnavailable",
      message: "The work queue is not available at the moment; try again in 5 seconds.",
      retryAfter: 5,
      cause: { name: "RequestThrottled" },
    });
  });

  it("is never the SDK's error", async () => {
    const gone = refusal("QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue");
    const calls: (() => Promise<unknown>)[] = [
      () => queue.send("work", 1),
      () => queue.send("work", 1, { deduplicationId: "d" }),
      () => queue.receive("work"),
      () => queue.done(delivered("m/h")),
      () => queue.retry(delivered("m/h"), 0),
      () => queue.deadLetters("work"),
    ];
    for (const call of calls) {
      exchanges.add(gone);
      const failure = await call().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(AppError);
      expect(failure).toMatchObject({ kind: "InternalServerError", cause: { name: "QueueDoesNotExist" } });
      expect(String(failure)).not.toContain("what the service says");
    }
  });
});
