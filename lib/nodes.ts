/** Nodes of pipelines that go through queues: a queue for each tier of models, and a function that works it off. */
import { Duration, Stack } from "aws-cdk-lib";
import { PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { MAX_RECEIVES, NODE_QUEUES } from "../functions/ports/queue.ts";
import type { Sources } from "./bundles.ts";
import { ServiceFunction } from "./functions.ts";
import type { Storage } from "./storage.ts";
import { acknowledge } from "./wildcards.ts";
import type { Workflows } from "./workflows.ts";

/** A run has 300 s; a node that takes longer than that is in vain. */
const WORKER_SECONDS = 300;
/** Lambda wants it no shorter than the function's time; a worker hides the message that it has for much less at a time. */
const VISIBILITY_SECONDS = WORKER_SECONDS + 10;
/** Nodes of one tier at once over all runs: what the limits of most accounts with a provider allow. */
const MOST_AT_ONCE = 20;

const TIERS = Object.entries(NODE_QUEUES);

export class NodeQueues extends Construct {
  readonly deadLetters: Queue;
  readonly #queues = new Map<string, Queue>();
  /** URLs by tier, for whoever makes machines. */
  readonly environment: Record<string, string>;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.deadLetters = new Queue(this, "DeadLetters", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(this.deadLetters, "AwsSolutions-SQS3", "This queue is where the dead letters of nodes go.");
    for (const [tier] of TIERS) {
      const queue = new Queue(this, tier, {
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        // The run of an older message is long over.
        retentionPeriod: Duration.hours(1),
        visibilityTimeout: Duration.seconds(VISIBILITY_SECONDS),
        deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
      });
      this.#queues.set(tier, queue);
    }
    const urls = Object.fromEntries([...this.#queues].map(([tier, { queueUrl }]) => [tier, queueUrl]));
    this.environment = { SHEAF_NODE_QUEUES: Stack.of(this).toJsonString(urls) };
  }

  /** @throws Error for a tier that there is none of */
  queueOf(tier: string): Queue {
    const queue = this.#queues.get(tier);
    if (queue === undefined) throw new Error(`There is no queue of the tier ${tier}`);
    return queue;
  }

  /** To send, and nothing else. */
  grantSend(role: Role): void {
    const resources = [...this.#queues.values()].map(({ queueArn }) => queueArn);
    role.addToPolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources }));
  }
}

export interface NodeWorkersProps {
  sources: Sources;
  storage: Storage;
  workflows: Workflows;
  queues: NodeQueues;
  environment: Record<string, string>;
}

/** A function for each tier, so that one tier's limits never hold up another. */
export class NodeWorkers extends Construct {
  constructor(scope: Construct, id: string, { sources, storage, workflows, queues, environment }: NodeWorkersProps) {
    super(scope, id);
    for (const [tier, name] of TIERS) {
      const queue = queues.queueOf(tier);
      const address = { url: queue.queueUrl, deadLetterUrl: queues.deadLetters.queueUrl };
      const worker = new ServiceFunction(this, tier, {
        sources,
        entry: "nodes",
        description: `Sheaf: works off the nodes of the tier ${tier}`,
        memoryMegabytes: 2048,
        timeoutSeconds: WORKER_SECONDS,
        readsDocuments: true,
        environment: {
          ...environment,
          SHEAF_MODEL_SECRET: storage.model.secretArn,
          SHEAF_NODE_QUEUE: name,
          SHEAF_QUEUES: Stack.of(this).toJsonString({ [name]: address }),
        },
      });
      worker.function.addEventSource(
        new SqsEventSource(queue, { batchSize: 1, reportBatchItemFailures: true, maxConcurrency: MOST_AT_ONCE }),
      );
      storage.grantRecords(worker.role);
      storage.grantObjects(worker.role, "org", ["Get", "Put"]);
      storage.model.grantRead(worker.role);
      workflows.grantTaskAnswers(worker.role);
    }
  }
}
