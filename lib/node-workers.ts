/** Queue mode of pipelines' nodes: the functions that consume the queues. */
import { Stack } from "aws-cdk-lib";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Construct } from "constructs";
import { NODE_QUEUES } from "../functions/ports/queue.ts";
import type { Sources } from "./bundles.ts";
import { ServiceFunction } from "./functions.ts";
import { type NodeQueues, WORKER_TIMEOUT_SECONDS } from "./node-queues.ts";
import type { Storage } from "./storage.ts";
import type { Workflows } from "./workflows.ts";

/**
 * The most nodes of one tier at once, over all runs: a quarter of the 1,000 executions that an account has by default, so
 * that the four tiers together could use them all, as inline nodes do. A run has at most 100 nodes, so the queue holds
 * back none of a run's nodes that inline mode would begin.
 * Source: "Lambda quotas", AWS Lambda Developer Guide.
 */
const MAX_CONCURRENT_NODES = 250;

export interface NodeWorkersProps {
  sources: Sources;
  storage: Storage;
  workflows: Workflows;
  queues: NodeQueues;
  environment: Record<string, string>;
}

/** A function for each tier, so that the limits of one tier never delay another. */
export class NodeWorkers extends Construct {
  constructor(scope: Construct, id: string, { sources, storage, workflows, queues, environment }: NodeWorkersProps) {
    super(scope, id);
    for (const [tier, name] of Object.entries(NODE_QUEUES)) {
      const queue = queues.queueOf(tier);
      const address = { url: queue.queueUrl, deadLetterUrl: queues.deadLetters.queueUrl };
      const worker = new ServiceFunction(this, tier, {
        sources,
        entry: "nodes",
        description: `Sheaf: works off the nodes of the tier ${tier}`,
        memoryMegabytes: 2048,
        timeoutSeconds: WORKER_TIMEOUT_SECONDS,
        readsDocuments: true,
        environment: {
          ...environment,
          SHEAF_MODEL_SECRET: storage.model.secretArn,
          SHEAF_NODE_QUEUE: name,
          SHEAF_QUEUES: Stack.of(this).toJsonString({ [name]: address }),
        },
      });
      worker.function.addEventSource(
        new SqsEventSource(queue, {
          batchSize: 1,
          reportBatchItemFailures: true,
          maxConcurrency: MAX_CONCURRENT_NODES,
        }),
      );
      storage.grantRecords(worker.role);
      storage.grantObjects(worker.role, "org", ["Get", "Put"]);
      storage.model.grantRead(worker.role);
      storage.grantPasswords(worker);
      workflows.grantTaskAnswers(worker.role);
    }
  }
}
