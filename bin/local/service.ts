/** The whole service on one machine: drivers, steps, handlers and front put together. */
import { createHmac, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { openBlobs } from "../../functions/adapters/local/blobs.ts";
import { createBlobGateway } from "../../functions/adapters/local/blobs-gateway.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openEngine } from "../../functions/adapters/local/engine.ts";
import { createFront } from "../../functions/adapters/local/front.ts";
import { type LocalObserver, localObserver } from "../../functions/adapters/local/observer.ts";
import { openQueue } from "../../functions/adapters/local/queue.ts";
import { startQueueConsumer } from "../../functions/adapters/local/queue-consumer.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { openTaskTokens, queuedNodeStep } from "../../functions/adapters/local/task-tokens.ts";
import { openWorkflows } from "../../functions/adapters/local/workflows.ts";
import { openOutbound } from "../../functions/adapters/outbound/guarded.ts";
import { withCompat } from "../../functions/api/http/compat.ts";
import { makeHandler } from "../../functions/api/http/handler.ts";
import { openApiDocument } from "../../functions/api/http/openapi.ts";
import { errorAnswer } from "../../functions/api/http/reply.ts";
import type { ApiServices } from "../../functions/api/http/services.ts";
import { RESOURCES, ROUTES, routeKey } from "../../functions/api/routes.ts";
import type { Blobs } from "../../functions/ports/blobs.ts";
import type { HttpHandler } from "../../functions/ports/http.ts";
import type { LanguageModel } from "../../functions/ports/llm.ts";
import { describeError } from "../../functions/ports/observer.ts";
import type { OcrEngine } from "../../functions/ports/ocr.ts";
import { NODE_QUEUES, WORK_QUEUE } from "../../functions/ports/queue.ts";
import type { Records } from "../../functions/ports/records.ts";
import { processMessage, workHandlers } from "../../functions/service/lifecycle/dispatch.ts";
import { sweepRetention } from "../../functions/service/lifecycle/retention.ts";
import { restartClocks, settleDeadExecution, sweep } from "../../functions/service/lifecycle/sweep.ts";
import { sweepMachines } from "../../functions/service/lifecycle/unused-machines.ts";
import { Keyring } from "../../functions/service/organizations/api-keys.ts";
import type { Engines } from "../../functions/service/organizations/engines.ts";
import { bindOrganization, DEFAULT_CONFIG, type Platform } from "../../functions/service/organizations/organization.ts";
import { systemRecords } from "../../functions/service/organizations/organization-records.ts";
import { openVault } from "../../functions/service/organizations/vault.ts";
import { pipelineRuns } from "../../functions/service/pipelines/definitions.ts";
import { makeSteps } from "../../functions/steps/index.ts";
import { nodeWork } from "../../functions/steps/queued-node.ts";
import { QUEUED_STEP } from "../../statemachines/steps.ts";
import { engineStates } from "../engines.ts";
import { ConfigError, type LocalConfig } from "./config.ts";
import { openDataDir, serverKey } from "./data-dir.ts";
import { openModel } from "./model.ts";
import { openRecognition } from "./recognition.ts";
import { organizationOf, organizationTurns } from "./turns.ts";
import { VERSION } from "./version.ts";

export interface ServiceOptions {
  config: LocalConfig;
  /** Where log lines go. */
  log: Writable;
  /** Only tests set these: another worker, a shorter time, ports that fail on purpose. */
  workerModule?: URL;
  jobTimeoutSeconds?: number;
  memoryLimitBytes?: number;
  wrap?: (ports: { records: Records; blobs: Blobs }) => { records: Records; blobs: Blobs };
  ocr?: OcrEngine;
}

export interface RunningService {
  url: string;
  port: number;
  engines: ReturnType<Engines["states"]>;
  observer: LocalObserver;
  /** Executions that this start took up again. */
  resumed: number;
  /** Takes no more requests, lets work end at most so long; the rest goes on with the next start. */
  close(graceMs: number): Promise<void>;
}

const SWEEP_MS = 5 * 60_000;
/** Document work is bound by processors; a few more executions keep them busy between steps. */
const EXECUTIONS_AT_ONCE = 16;
/** Of one organization, so that another's document finds a place at once. */
const ORGANIZATION_EXECUTIONS = 12;

/** @throws ConfigError when the data folder or the address cannot be used */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config } = options;
  const unlock = openDataDir(config.dataDir);
  const clock = systemClock();
  const observer = localObserver(options.log, config.logLevel, () => clock.now());
  const key = serverKey(config.dataDir);
  const records = openRecords(join(config.dataDir, "records.sqlite"), { clock });
  const presign = {
    secret: createHmac("sha256", key).update("blobs").digest(),
    baseUrl: () => url,
  };
  const blobs = openBlobs(join(config.dataDir, "blobs"), { clock, presign });
  const ports = options.wrap?.({ records, blobs }) ?? { records, blobs };
  const settings = {
    ...DEFAULT_CONFIG,
    ...config.limits,
    maintenance: config.maintenance,
    rateLimit: config.rateLimit,
    jobTimeoutSeconds: options.jobTimeoutSeconds ?? DEFAULT_CONFIG.jobTimeoutSeconds,
  };
  const turns = organizationTurns({ all: config.orgConcurrency + 1, group: config.orgConcurrency });
  const documents = openEngine({
    clock,
    groupOf: turns.current,
    jobTimeoutSeconds: settings.jobTimeoutSeconds,
    onEvent: ({ kind, reason }) => observer.count("worker_events_total", { kind, reason: reason ?? "" }),
    ...(options.workerModule ? { module: options.workerModule } : {}),
    ...(options.memoryLimitBytes ? { memoryLimitBytes: options.memoryLimitBytes } : {}),
  });
  const recognition = openRecognition(options, {
    clock,
    jobTimeoutSeconds: settings.jobTimeoutSeconds,
    observer,
    groupOf: turns.current,
  });
  const queue = openQueue({ records: ports.records, clock });
  const organization = (id: number) => bindOrganization(platform, id);
  const tokens = openTaskTokens();
  const workflows = openWorkflows({
    records: ports.records,
    clock,
    steps: turns.around({ ...makeSteps(organization), [QUEUED_STEP]: queuedNodeStep(queue, tokens) }),
    concurrency: EXECUTIONS_AT_ONCE,
    groupOf: organizationOf,
    groupConcurrency: ORGANIZATION_EXECUTIONS,
    onEnd: (execution) => settleDeadExecution(platform, execution),
    onError: (error) => observer.log("error", "workflow driver", describeError(error)),
  });
  const { model: asked, state } = openModel(config.model, { clock, observer });
  const model: LanguageModel | null = asked && {
    facts: (tier) => asked.facts(tier),
    answer: (...given) => turns.away(() => asked.answer(...given)),
  };
  const states = engineStates(recognition.state, state);
  const outbound = openOutbound({ loopback: true });
  const engines: Engines = { clock, documents, ocr: recognition.engine, model, outbound, states };
  const platform: Platform = {
    records: ports.records,
    blobs: ports.blobs,
    workflows,
    queue,
    vault: openVault(async () => key),
    engines,
    pipelines: pipelineRuns,
    observer,
    config: settings,
  };

  const system = systemRecords(ports.records);
  const keyring = new Keyring(system, key, clock);
  await keyring.replaceEnvironmentKeys(config.keys);

  const services: ApiServices = {
    authenticate: (authorization) => keyring.authenticate(authorization),
    organization,
    facts: { version: VERSION, engines: states, openapi: () => openApiDocument(ROUTES, VERSION) },
    clock,
    observer,
    limits: settings,
    maintenance: settings.maintenance,
    rateLimit: settings.rateLimit,
  };
  const blobGateway = createBlobGateway(blobs, presign, clock);
  const front = createFront({
    routes: withCompat(ROUTES),
    handlers: handlersOf(services),
    refuse: (event, error) => errorAnswer(error, event, clock.now()),
    beside: async (request, response) =>
      (await blobGateway(request, response)) || (await answerMetrics(request, response, observer)),
    maxRequestBytes: settings.maxRequestBytes,
    now: () => clock.now(),
    requestId: () => randomUUID(),
  });
  let url = "";
  const port = await front.listen(config.host, config.port).catch((error: NodeJS.ErrnoException) => {
    void documents.close();
    records.close();
    unlock();
    throw new ConfigError(
      error.code === "EADDRINUSE"
        ? `Port ${config.port} is in use; stop what uses it, or set PORT to another`
        : `Cannot listen on ${config.host}:${config.port} (${error.code ?? error.message})`,
    );
  });
  url = `http://${config.host.includes(":") ? `[${config.host.replaceAll(/[[\]]/g, "")}]` : config.host}:${port}`;

  await restartClocks(platform, system);
  const resumed = await workflows.resume();
  const sweeping = (): void => {
    // Expired records are gone for every reader already; this frees their place, as DynamoDB does by itself.
    records.sweepExpired();
    sweep(platform, system)
      .then(() => sweepRetention(platform, system))
      .then(() => sweepMachines(platform, system))
      .catch((error) => observer.log("error", "sweep failed", describeError(error)));
  };
  sweeping();
  const handlers = { ...workHandlers, ...nodeWork };
  const consumers = [WORK_QUEUE, ...Object.values(NODE_QUEUES)].map((name) =>
    startQueueConsumer({
      queue,
      name,
      work: (message) => processMessage(platform, message, { handlers, tokens }),
      onError: (error) => observer.log("error", "work queue", describeError(error)),
    }),
  );
  const timer = setInterval(sweeping, SWEEP_MS);
  timer.unref();

  return {
    url,
    port,
    engines: states(),
    observer,
    resumed,
    async close(graceMs) {
      clearInterval(timer);
      await front.close(graceMs);
      await Promise.all(consumers.map((consumer) => consumer.close(graceMs)));
      await workflows.drain(graceMs);
      await workflows.close();
      await documents.close();
      await recognition.close();
      records.close();
      unlock();
    },
  };
}

/** One handler a resource, found by route key as the gateway finds its Lambda functions. */
function handlersOf(services: ApiServices): Map<string, HttpHandler> {
  const handlers = new Map<string, HttpHandler>([["$default", makeHandler([], services)]]);
  for (const routes of Object.values(RESOURCES)) {
    const handler = makeHandler(routes, services);
    for (const route of withCompat(routes)) handlers.set(routeKey(route), handler);
  }
  return handlers;
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

/** GET /metrics, for callers on this machine; for others there is no such path. */
async function answerMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  observer: LocalObserver,
): Promise<boolean> {
  if (request.method !== "GET" || request.url !== "/metrics") return false;
  if (!LOOPBACK.has(request.socket.remoteAddress ?? "")) return false;
  const body = await observer.metrics();
  response.writeHead(200, { "Content-Type": observer.metricsType, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
  return true;
}
