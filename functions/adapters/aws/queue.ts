/**
 * Work queues in SQS: standard queues, fair by their messages' group ids ("Amazon SQS fair queues", Amazon SQS Developer
 * Guide: a standard queue whose messages have a MessageGroupId delivers those of quiet groups first while one group has
 * more than its share of the messages in flight or of the consumers' time), each with a dead-letter queue and a redrive policy whose maxReceiveCount is the
 * driver's `maxReceives`. SQS guarantees neither the order of messages nor that a receive without waiting finds every
 * message.
 */
import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { Clock } from "../../ports/clock.ts";
import { NotFound } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import { MAX_RECEIVES, type QueueMessage, type SendOptions, type WorkQueue } from "../../ports/queue.ts";
import type { Records } from "../../ports/records.ts";
import {
  checkBounds,
  checkGroup,
  checkMaxReceives,
  encodeBody,
  MAX_DELAY_SECONDS,
  MAX_RECEIVE_MESSAGES,
  MAX_RECEIVE_WAIT_SECONDS,
  MAX_VISIBILITY_SECONDS,
  partitionOf,
} from "../queue-limits.ts";
import { Deduplication } from "./queue-deduplication.ts";
import { codeOf, toAppError } from "./service-errors.ts";

export interface SqsQueueOptions {
  client: SQSClient;
  /** Queues by their names in the service. */
  queues: Record<string, SqsQueueAddress>;
  /** Holds deduplication ids, under `sys/queue/…`. */
  records: Records;
  clock: Pick<Clock, "now" | "sleep">;
  /** The maxReceiveCount of the queues' redrive policies; default MAX_RECEIVES. */
  maxReceives?: number;
}

export interface SqsQueueAddress {
  url: string;
  deadLetterUrl: string;
}

const SERVICE_NAME = "The work queue";
/** A receipt names its queue: `m/` and SQS's handle for a live message, `x/` and the handle for a dead letter. */
const LIVE_PREFIX = "m/";
const DEAD_PREFIX = "x/";
/** Seconds that dead letters are invisible to others while they are listed. */
const LISTING_VISIBILITY_SECONDS = 60;
/**
 * A message is invisible for 12 hours at most, counted from its receive; a worker may have used this share of them, in
 * seconds.
 */
const MAX_WORK_SECONDS = 900;

/** Error codes for handles that are invalid or outdated: another receiver has the message, or it is gone. */
const STALE_RECEIPT_CODES = new Set([
  "InvalidIdFormat",
  "InvalidParameterValue",
  "MessageNotInflight",
  "ReceiptHandleIsInvalid",
]);

/**
 * JSON text that is also valid XML text, as SQS requires: escapes the two characters that JSON allows and XML does not.
 */
const toSqsText = (json: string): string =>
  json.replace(/[\ufffe\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);

/** The receipt of a message that SQS delivered, by a receive or by an event. */
export const receiptOf = (handle: string): string => `${LIVE_PREFIX}${handle}`;

/** A body that is not JSON came from another sender and is returned as text. */
export function bodyOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

class SqsQueue implements WorkQueue {
  readonly #client: SQSClient;
  readonly #queues: Record<string, SqsQueueAddress>;
  readonly #deduplication: Deduplication;
  readonly #maxReceives: number;

  constructor({ client, queues, records, clock, maxReceives = MAX_RECEIVES }: SqsQueueOptions) {
    checkMaxReceives(maxReceives);
    this.#client = client;
    this.#queues = queues;
    this.#deduplication = new Deduplication(records, clock);
    this.#maxReceives = maxReceives;
  }

  async send(
    queue: string,
    body: Json,
    { delaySeconds = 0, deduplicationId, group }: SendOptions = {},
  ): Promise<{ id: string }> {
    checkBounds("delaySeconds", delaySeconds, 0, MAX_DELAY_SECONDS);
    checkGroup(group);
    const text = toSqsText(encodeBody(body));
    const partition = partitionOf(queue);
    const { url } = this.#addressOf(queue);
    const send = async () => {
      const sent = new SendMessageCommand({
        QueueUrl: url,
        MessageBody: text,
        DelaySeconds: Math.ceil(delaySeconds),
        ...(group === undefined ? {} : { MessageGroupId: group }),
      });
      return (await this.#call(this.#client.send(sent))).MessageId ?? "";
    };
    const id = deduplicationId === undefined ? send() : this.#deduplication.once(partition, deduplicationId, send);
    return { id: await id };
  }

  async receive(
    queue: string,
    { max = 1, visibilitySeconds = 30, waitSeconds = 0 }: Parameters<WorkQueue["receive"]>[1] = {},
  ): Promise<QueueMessage[]> {
    checkBounds("max", max, 1, MAX_RECEIVE_MESSAGES);
    checkBounds("visibilitySeconds", visibilitySeconds, 0, MAX_VISIBILITY_SECONDS);
    checkBounds("waitSeconds", waitSeconds, 0, MAX_RECEIVE_WAIT_SECONDS);
    const { url } = this.#addressOf(queue);
    const messages = await this.#receive(url, Math.floor(max), Math.ceil(visibilitySeconds), Math.ceil(waitSeconds));
    return messages.map((message) => this.#read(queue, LIVE_PREFIX, message));
  }

  async done({ queue, receipt }: QueueMessage): Promise<void> {
    const { url, deadLetterUrl } = this.#addressOf(queue);
    const QueueUrl = receipt.startsWith(DEAD_PREFIX) ? deadLetterUrl : url;
    const command = new DeleteMessageCommand({ QueueUrl, ReceiptHandle: receipt.slice(LIVE_PREFIX.length) });
    await this.#unlessStale(this.#client.send(command));
  }

  async retry({ queue, receipt }: QueueMessage, delaySeconds: number): Promise<void> {
    checkBounds("delaySeconds", delaySeconds, 0, MAX_VISIBILITY_SECONDS);
    if (!receipt.startsWith(LIVE_PREFIX)) return;
    const { url } = this.#addressOf(queue);
    const hide = (seconds: number) => {
      const VisibilityTimeout = Math.ceil(seconds);
      const ReceiptHandle = receipt.slice(LIVE_PREFIX.length);
      const command = new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout });
      return this.#unlessStale(this.#client.send(command));
    };
    const longest = MAX_VISIBILITY_SECONDS - MAX_WORK_SECONDS;
    // SQS reports a time over its 12 hours like an outdated receipt; then hide for the longest safe time.
    if (!(await hide(delaySeconds)) && delaySeconds > longest) await hide(longest);
  }

  /**
   * Receives all dead letters for a moment and returns them, so two concurrent listings share them. A letter's receipt
   * is
   * valid for `done` until the next listing.
   */
  async deadLetters(queue: string): Promise<QueueMessage[]> {
    const { deadLetterUrl } = this.#addressOf(queue);
    const found = new Map<string, Message>();
    for (;;) {
      // A waiting receive queries all of SQS's servers.
      const messages = await this.#receive(deadLetterUrl, MAX_RECEIVE_MESSAGES, LISTING_VISIBILITY_SECONDS, 1);
      const before = found.size;
      for (const message of messages) found.set(message.MessageId ?? "", message);
      // No new message: the first ones are visible again.
      if (found.size === before) break;
    }
    const letters = [...found.values()];
    await this.#giveBack(deadLetterUrl, letters);
    const sentAt = ({ Attributes }: Message): number => Number(Attributes?.SentTimestamp);
    return letters
      .sort((one, other) => sentAt(one) - sentAt(other))
      .map((letter) => this.#read(queue, DEAD_PREFIX, letter));
  }

  /** A letter that cannot be returned becomes visible after the listing's time. */
  async #giveBack(url: string, messages: readonly Message[]): Promise<void> {
    for (let at = 0; at < messages.length; at += MAX_RECEIVE_MESSAGES) {
      const Entries = messages.slice(at, at + MAX_RECEIVE_MESSAGES).map(({ ReceiptHandle = "" }, index) => ({
        Id: String(index),
        ReceiptHandle,
        VisibilityTimeout: 0,
      }));
      await this.#call(this.#client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries })));
    }
  }

  async #receive(url: string, max: number, visibilitySeconds: number, waitSeconds: number): Promise<Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: max,
      VisibilityTimeout: visibilitySeconds,
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ["ApproximateReceiveCount", "SentTimestamp"],
    });
    return (await this.#call(this.#client.send(command))).Messages ?? [];
  }

  #read(queue: string, mark: typeof LIVE_PREFIX | typeof DEAD_PREFIX, message: Message): QueueMessage {
    const counted = Number(message.Attributes?.ApproximateReceiveCount ?? 1);
    return {
      id: message.MessageId ?? "",
      queue,
      body: bodyOf(message.Body ?? ""),
      // SQS counts the listings of dead letters too.
      receives: mark === DEAD_PREFIX ? Math.min(counted, this.#maxReceives) : counted,
      receipt: `${mark}${message.ReceiptHandle ?? ""}`,
    };
  }

  #addressOf(queue: string): SqsQueueAddress {
    partitionOf(queue);
    const address = Object.hasOwn(this.#queues, queue) ? this.#queues[queue] : undefined;
    if (address === undefined) throw new NotFound(`There is no work queue named ${queue}.`);
    return address;
  }

  async #call<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw toAppError(error, SERVICE_NAME);
    }
  }

  /** @returns false when the receipt is not its message's newest */
  async #unlessStale(answer: Promise<unknown>): Promise<boolean> {
    try {
      await answer;
      return true;
    } catch (error) {
      // SQS uses two styles of error names, which differ in this prefix and suffix.
      if (STALE_RECEIPT_CODES.has(codeOf(error).replace(/^AWS\.SimpleQueueService\.|Exception$/g, ""))) return false;
      throw toAppError(error, SERVICE_NAME);
    }
  }
}

/**
 * Opens existing queues. Values outside SQS's limits are a RangeError; times are rounded up to whole seconds.
 * @throws RangeError when `maxReceives` is not an integer of at least 1
 */
export function openSqsQueue(options: SqsQueueOptions): WorkQueue {
  return new SqsQueue(options);
}
