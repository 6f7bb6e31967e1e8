/** Background work: its queue and that of webhooks, their consumers, and the dead letters of both. */
import { Duration, Stack } from "aws-cdk-lib";
import { PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { MAX_RECEIVES, WEBHOOK_QUEUE, WORK_QUEUE } from "../functions/ports/queue.ts";
import type { Sources } from "./bundles.ts";
import { queueOf } from "./deployment.ts";
import { addEnvironment, ServiceFunction } from "./functions.ts";
import type { Storage } from "./storage.ts";
import type { Templates } from "./templates.ts";
import { acknowledge } from "./wildcards.ts";
import type { Workflows } from "./workflows.ts";

export interface WorkProps {
  sources: Sources;
  storage: Storage;
  workflows: Workflows;
  templates: Templates;
  environment: Record<string, string>;
}

/** For a batch of messages; deleting a job's files takes a few seconds. */
const CONSUMER_TIMEOUT_SECONDS = 120;
/**
 * Six times the function's timeout, as AWS recommends: Lambda may hold messages back while the function is throttled.
 */
const VISIBILITY_TIMEOUT_SECONDS = 6 * CONSUMER_TIMEOUT_SECONDS;
/** Messages that one invocation processes. */
const MESSAGES_PER_BATCH = 5;
/** Steps that end runs, of a job or of a nested operation, and put the notifications on the queue. */
const SETTLING_STEPS = ["settle", "batch-settle", "operate-node"];
/** Leaves concurrency for the API. */
const MAX_CONCURRENT_CONSUMERS = 10;
/** One delivery a time takes up to 10 s; a few organizations with slow receivers leave others a place. */
const DELIVERY_TIMEOUT_SECONDS = 30;
const MAX_CONCURRENT_DELIVERIES = 20;

export class Work extends Construct {
  readonly queue: Queue;
  /** Webhook deliveries, apart: they wait for others' servers. */
  readonly webhooks: Queue;
  /** Messages that failed at every delivery. */
  readonly deadLetters: Queue;
  readonly consumer: ServiceFunction;
  /** Environment of functions that put work on the queue. */
  readonly environment: Record<string, string>;

  constructor(scope: Construct, id: string, { sources, storage, workflows, templates, environment }: WorkProps) {
    super(scope, id);
    const { serverKey } = storage;
    // Longer than the queue's own: a message keeps its age when it becomes a dead letter.
    this.deadLetters = queueOf(this, "DeadLetters", { retentionPeriod: Duration.days(14) });
    acknowledge(this.deadLetters, "AwsSolutions-SQS3", "This queue is where the work queue's dead letters go.");
    this.queue = queueOf(this, "Queue", {
      retentionPeriod: Duration.days(4),
      visibilityTimeout: Duration.seconds(VISIBILITY_TIMEOUT_SECONDS),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
    this.webhooks = queueOf(this, "Webhooks", {
      retentionPeriod: Duration.days(4),
      visibilityTimeout: Duration.seconds(6 * DELIVERY_TIMEOUT_SECONDS),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
    const addressOf = ({ queueUrl: url }: Queue) => ({ url, deadLetterUrl: this.deadLetters.queueUrl });
    const addresses = { [WORK_QUEUE]: addressOf(this.queue), [WEBHOOK_QUEUE]: addressOf(this.webhooks) };
    this.environment = { SHEAF_QUEUES: Stack.of(this).toJsonString(addresses) };
    this.consumer = new ServiceFunction(this, "work", {
      sources,
      entry: "work",
      description: "Sheaf: works off the queue",
      memoryMegabytes: 512,
      timeoutSeconds: CONSUMER_TIMEOUT_SECONDS,
      environment: {
        ...environment,
        ...workflows.environment,
        ...this.environment,
        SHEAF_SERVER_KEY_SECRET: serverKey.secretArn,
      },
    });
    // Also grants the rights of the event source mapping: to receive, to delete, and to change the visibility timeout.
    this.consumer.function.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: MESSAGES_PER_BATCH,
        reportBatchItemFailures: true,
        maxConcurrency: MAX_CONCURRENT_CONSUMERS,
      }),
    );
    storage.grantRecords(this.consumer.role);
    storage.grantObjects(this.consumer.role, "org", ["Delete"]);
    // Fields and passages are found by another function, and kept here; uploads into cases are taken and read.
    templates.grantCall(this.consumer);
    storage.grantWorkFiles(this.consumer.role);
    // A run whose dependency failed ends here.
    storage.grantTraces(this.consumer.role);
    // Deleting a job deletes all of its files.
    storage.grantListing(this.consumer.role, "org");
    // The server key seals the secrets that sign webhooks.
    serverKey.grantRead(this.consumer.role);
    workflows.grantTaskAnswers(this.consumer.role);
    // A run that waits for another job starts when that job ends.
    workflows.grantStart(this.consumer.role);
    grantSending(workflows.machineRole, this.queue);
    // Work that one delivery does not finish continues with another.
    this.grantSend(this.consumer.role);
    for (const step of SETTLING_STEPS) this.addSender(workflows.functionOf(step));
    this.#addDeliveries(sources, storage, environment);
  }

  /** The function that sends webhooks: it reads and writes records, and reaches out, but starts and deletes nothing. */
  #addDeliveries(sources: Sources, storage: Storage, environment: Record<string, string>): void {
    const sender = new ServiceFunction(this, "webhooks", {
      sources,
      entry: "webhooks",
      description: "Sheaf: sends webhooks",
      memoryMegabytes: 256,
      timeoutSeconds: DELIVERY_TIMEOUT_SECONDS,
      environment: { ...environment, ...this.environment, SHEAF_SERVER_KEY_SECRET: storage.serverKey.secretArn },
    });
    sender.function.addEventSource(
      new SqsEventSource(this.webhooks, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: MAX_CONCURRENT_DELIVERIES,
      }),
    );
    storage.grantRecords(sender.role);
    storage.serverKey.grantRead(sender.role);
    // A failed delivery is enqueued again.
    grantSending(sender.role, this.webhooks);
  }

  /** Lets a function put work on the queue. */
  addSender(one: ServiceFunction): void {
    this.grantSend(one.role);
    addEnvironment(one, this.environment);
  }

  /** The right to send, and nothing else; `grantSendMessages` also grants reading the queue's attributes. */
  grantSend(role: Role): void {
    grantSending(role, this.queue, this.webhooks);
  }
}

function grantSending(role: Role, ...queues: Queue[]): void {
  const resources = queues.map(({ queueArn }) => queueArn);
  role.addToPolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources }));
}
