/** The background work of one machine: the sweep, and the consumers of the queues. */
import { startQueueConsumer } from "../../functions/adapters/local/queue-consumer.ts";
import { isObject, type Json } from "../../functions/ports/json.ts";
import { describeError } from "../../functions/ports/observer.ts";
import { NODE_QUEUES, WEBHOOK_QUEUE, WORK_QUEUE } from "../../functions/ports/queue.ts";
import { carryLists } from "../../functions/service/lifecycle/carry-lists.ts";
import { processMessage, workHandlers } from "../../functions/service/lifecycle/dispatch.ts";
import { sweepRetention } from "../../functions/service/lifecycle/retention.ts";
import { sweep } from "../../functions/service/lifecycle/sweep.ts";
import { sweepUnmadeJobs } from "../../functions/service/lifecycle/unmade-jobs.ts";
import { sweepMachines } from "../../functions/service/lifecycle/unused-machines.ts";
import type { SystemRecords } from "../../functions/service/organizations/organization-records.ts";
import { MAX_CONCURRENT_DELIVERIES } from "../../functions/service/webhooks/webhook-records.ts";
import { nodeWork } from "../../functions/steps/queued-node.ts";
import { MAX_NODES } from "../../statemachines/pipeline/parse.ts";
import { type LocalPlatform, MAX_CONCURRENT_EXECUTIONS, MAX_ORGANIZATION_EXECUTIONS } from "./platform.ts";
import { organizationOf } from "./turns.ts";

const SWEEP_INTERVAL_MS = 5 * 60_000;
/** Deliveries at once, of all organizations: they wait for others' servers and cost this machine little. */
const CONCURRENT_DELIVERIES = 32;
/**
 * Nodes taken from a queue at once: as many as all executions can have, as in inline mode. Nodes that work take turns
 * with the steps of the executions, which bounds processors and memory; nodes that wait for a model hold no turn.
 */
const CONCURRENT_NODES = MAX_CONCURRENT_EXECUTIONS * MAX_NODES;
const CONCURRENT_NODES_OF_ORGANIZATION = MAX_ORGANIZATION_EXECUTIONS * MAX_NODES;

/** The pause that work asks for its group, in milliseconds. */
const pauseOf = (output: Json): number | undefined =>
  isObject(output) && typeof output.pauseMs === "number" ? output.pauseMs : undefined;

export interface BackgroundWork {
  stopSweeping(): void;
  /** Lets the consumers finish their messages within this time. */
  closeConsumers(graceMs: number): Promise<void>;
}

/** Sweeps at once and then regularly, and consumes all queues. */
export function startBackgroundWork(
  { platform, stores, queue, tokens, engines }: LocalPlatform,
  system: SystemRecords,
): BackgroundWork {
  const { observer, records } = stores;
  const sweepAll = async (): Promise<void> => {
    try {
      // Readers no longer see expired records; this frees their space, as DynamoDB does by itself.
      records.sweepExpired();
      await sweep(platform, system);
      await carryLists(platform, system);
      await sweepRetention(platform, system);
      await sweepUnmadeJobs(platform, system);
      await sweepMachines(platform, system);
    } catch (error) {
      observer.log("error", "sweep failed", describeError(error));
    }
  };
  void sweepAll();
  const onError = (error: unknown): void => observer.log("error", "work queue", describeError(error));
  const deliveries = { concurrency: CONCURRENT_DELIVERIES, groupConcurrency: MAX_CONCURRENT_DELIVERIES };
  const serviceConsumers = [WORK_QUEUE, WEBHOOK_QUEUE].map((name) =>
    startQueueConsumer({
      queue,
      name,
      ...(name === WEBHOOK_QUEUE ? deliveries : {}),
      work: async (message) => pauseOf(await processMessage(platform, message, { handlers: workHandlers, tokens })),
      onError,
    }),
  );
  const nodeConsumers = Object.values(NODE_QUEUES).map((name) =>
    startQueueConsumer({
      queue,
      name,
      concurrency: CONCURRENT_NODES,
      groupConcurrency: CONCURRENT_NODES_OF_ORGANIZATION,
      async work(message) {
        const work = () => processMessage(platform, message, { handlers: nodeWork, tokens });
        await engines.turns.inTurn(organizationOf(message.body), work);
        return undefined;
      },
      onError,
    }),
  );
  const consumers = [...serviceConsumers, ...nodeConsumers];
  const timer = setInterval(() => void sweepAll(), SWEEP_INTERVAL_MS);
  timer.unref();
  return {
    stopSweeping: () => clearInterval(timer),
    closeConsumers: async (graceMs) => {
      await Promise.all(consumers.map((consumer) => consumer.close(graceMs)));
    },
  };
}
