/** Queue mode of pipelines' nodes: a queue for each model tier. */
import { Duration, Stack } from "aws-cdk-lib";
import { PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { MAX_RECEIVES, NODE_QUEUES } from "../functions/ports/queue.ts";
import { queueOf } from "./deployment.ts";
import { acknowledge } from "./wildcards.ts";

/** The time of a run; a longer node is in vain. */
export const WORKER_TIMEOUT_SECONDS = 300;
/** Lambda requires at least the function's timeout; a worker itself hides its message for much shorter periods. */
const VISIBILITY_TIMEOUT_SECONDS = WORKER_TIMEOUT_SECONDS + 10;

const TIERS = Object.entries(NODE_QUEUES);

export class NodeQueues extends Construct {
  readonly deadLetters: Queue;
  readonly #queues = new Map<string, Queue>();
  /** Queue URLs by tier, for functions that create machines. */
  readonly environment: Record<string, string>;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.deadLetters = queueOf(this, "DeadLetters", { retentionPeriod: Duration.days(14) });
    acknowledge(this.deadLetters, "AwsSolutions-SQS3", "This queue is where the dead letters of nodes go.");
    for (const [tier] of TIERS) {
      const queue = queueOf(this, tier, {
        // The run of an older message is long over.
        retentionPeriod: Duration.hours(1),
        visibilityTimeout: Duration.seconds(VISIBILITY_TIMEOUT_SECONDS),
        deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
      });
      this.#queues.set(tier, queue);
    }
    const urls = Object.fromEntries([...this.#queues].map(([tier, { queueUrl }]) => [tier, queueUrl]));
    this.environment = { SHEAF_NODE_QUEUES: Stack.of(this).toJsonString(urls) };
  }

  /** @throws Error for an unknown tier */
  queueOf(tier: string): Queue {
    const queue = this.#queues.get(tier);
    if (queue === undefined) throw new Error(`There is no queue of the tier ${tier}`);
    return queue;
  }

  /** The right to send, and nothing else. */
  grantSend(role: Role): void {
    const resources = [...this.#queues.values()].map(({ queueArn }) => queueArn);
    role.addToPolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources }));
  }
}
