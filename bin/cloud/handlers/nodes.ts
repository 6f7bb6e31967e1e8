/** Processes the pipeline nodes on the queues of the models' tiers. */

import { stepFunctionsClient } from "../../../functions/adapters/aws/clients.ts";
import { workOffBatch } from "../../../functions/adapters/aws/queue-event.ts";
import { openTaskTokens } from "../../../functions/adapters/aws/task-tokens.ts";
import { describeError } from "../../../functions/ports/observer.ts";
import { processMessage } from "../../../functions/service/lifecycle/dispatch.ts";
import { nodeWork } from "../../../functions/steps/queued-node.ts";
import { carrying } from "../engine.ts";
import { lazily, required } from "../environment.ts";
import { languageModel } from "../model.ts";
import { ownModels } from "../own-models.ts";
import { documentVault, workQueue } from "../parts.ts";
import { passages } from "../passages.ts";
import { openPlatform, openStores } from "../platform.ts";
import { TASKS } from "../tasks/nodes.ts";

/** Hold time of a node's message: when its worker dies, the node restarts early enough for its run of 300 s. */
const HOLD_SECONDS = 45;

const opened = lazily(() => {
  const stores = openStores(process.env);
  const tokens = openTaskTokens({ client: stepFunctionsClient(), clock: stores.clock });
  return { stores, tokens, model: languageModel(stores), queue: required(process.env, "SHEAF_NODE_QUEUE") };
});

const parts = {
  documents: carrying(...TASKS),
  documentVault,
  passages,
  ownModels,
  queue: workQueue,
};

export const handler = async (event: unknown) => {
  const { stores, tokens, model, queue } = opened();
  const platform = openPlatform(stores, parts, (await model()) ?? null);
  return stores.observer.duringInvocation(() =>
    workOffBatch(event, {
      queue,
      holdSeconds: HOLD_SECONDS,
      retry: (message, seconds) => platform.queue.retry(message, seconds),
      work: async (message) => {
        await processMessage(platform, message, { tokens, handlers: nodeWork });
      },
      onError: (error) => stores.observer.log("warn", "work not given back", describeError(error)),
    }),
  );
};
