/** The contract of WorkQueue on the SQS driver, over HTTP against the emulator. */
import { randomUUID } from "node:crypto";
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqsQueue, type SqsQueueAddress } from "../../functions/adapters/aws/queue.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { queueSuite } from "../contract/queue.suite.ts";
import { startMinistack } from "../support/ministack.ts";

const emulator = await startMinistack();
afterAll(() => emulator?.close());

const MAX_RECEIVES = 3;

/** A queue with its dead letters, as deployed. */
async function createQueue(client: SQSClient, name: string): Promise<SqsQueueAddress> {
  const create = async (QueueName: string, Attributes: Record<string, string>): Promise<string> =>
    (await client.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? "";
  const deadLetterUrl = await create(`${name}-dead`, {});
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetterUrl, AttributeNames: ["QueueArn"] }),
  );
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: MAX_RECEIVES });
  return { url: await create(name, { RedrivePolicy }), deadLetterUrl };
}

describe.skipIf(emulator === undefined)("the emulator", () => {
  const client = new SQSClient({ ...emulator?.clientOptions });
  const clock = systemClock();
  const records = openRecords(":memory:", { clock });
  const queues: Record<string, SqsQueueAddress> = {};
  const newQueue = async () => {
    const name = `suite-${randomUUID()}`;
    queues[name] = await createQueue(client, name);
    return name;
  };
  const open = (maxReceives: number) => openSqsQueue({ client, queues, records, clock, maxReceives });
  afterAll(() => {
    client.destroy();
    records.close();
  });

  queueSuite({
    name: "SQS",
    turns: "measured",
    newQueue,
    make: async ({ maxReceives }) => ({ queue: open(maxReceives), close: async () => {} }),
  });

  describe("SQS dead letters", () => {
    const queue = open(MAX_RECEIVES);
    const bodies = async (name: string) => (await queue.deadLetters(name)).map(({ body }) => body);
    let name = "";
    beforeAll(async () => {
      name = await newQueue();
      for (let body = 0; body < 12; body += 1) await queue.send(name, body);
      for (let receives = 0; receives <= MAX_RECEIVES; receives += 1) {
        while ((await queue.receive(name, { max: 10, visibilitySeconds: 1 })).length > 0);
        await clock.sleep(1100);
      }
    });

    it("can be listed repeatedly without counting deliveries", async () => {
      const all = Array.from({ length: 12 }, (_, body) => body);
      expect(await bodies(name)).toEqual(all);
      expect(await bodies(name)).toEqual(all);
      expect((await queue.deadLetters(name)).every(({ receives }) => receives === MAX_RECEIVES)).toBe(true);
    });

    it("are removed when they are done", async () => {
      const [first, ...rest] = await queue.deadLetters(name);
      if (first !== undefined) await queue.done(first);
      expect(await bodies(name)).toEqual(rest.map(({ body }) => body));
    });
  });
});
