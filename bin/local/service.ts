/** The whole service on one machine: platform, HTTP side and background work. */
import { systemClock } from "../../functions/adapters/local/clock.ts";
import type { LocalObserver } from "../../functions/adapters/local/observer.ts";
import { bytesOf, checkApart, MAX_CHECKED_AT_START_BYTES } from "../../functions/adapters/local/records-check.ts";
import type { StateMachineDefinition } from "../../functions/ports/workflows.ts";
import { releaseLostHolds, restartClocks } from "../../functions/service/lifecycle/sweep.ts";
import { Keyring } from "../../functions/service/organizations/api-keys.ts";
import type { Engines } from "../../functions/service/organizations/engines.ts";
import { systemRecords } from "../../functions/service/organizations/organization-records.ts";
import { documentMachine } from "../../statemachines/document.ts";
import { startBackgroundWork } from "./background.ts";
import { openDataDir } from "./data-dir.ts";
import { openDataFolder } from "./data-folder.ts";
import { listenError, makeFront, urlOf } from "./http.ts";
import { type LocalPlatform, openPlatform } from "./platform.ts";
import { Readiness } from "./readiness.ts";
import type { ServiceOptions } from "./service-options.ts";
import { startFault } from "./start-faults.ts";

export interface RunningService {
  url: string;
  port: number;
  engines: ReturnType<Engines["states"]>;
  observer: LocalObserver;
  /** The number of executions that this start resumed. */
  resumed: number;
  /** Refuses new requests and lets running work end within this time; the next start continues the rest. */
  close(graceMs: number): Promise<void>;
}

/** Undoes the steps of a start, last first. */
type Undo = (() => unknown)[];

async function undoAll(undo: Undo): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step();
}

/**
 * Checks a database that is too large for the start, beside the service.
 * @returns stops the check
 */
function checkLater(file: string, readiness: Readiness, observer: LocalObserver): () => void {
  if (bytesOf(file) <= MAX_CHECKED_AT_START_BYTES) return () => undefined;
  const check = checkApart(file);
  void check.verdict.then((sound) => {
    if (sound === true) observer.log("info", "the database is sound");
    if (sound !== false) return;
    readiness.fail("The database of the service is damaged; its operator has to restore a backup");
    observer.log("error", "the database is damaged: stop the service and restore a backup");
  });
  return () => check.stop();
}

/**
 * Makes the first document as fast as the next: its state machine is checked and compiled while the first document
 * process starts. A service whose processes do not start yet serves all the same; they are tried again.
 */
async function warmUp({ engines, workflows, stores }: LocalPlatform): Promise<void> {
  const [isReady] = await Promise.all([
    engines.engines.documents.ready(),
    workflows.ensureMachine(documentMachine() as unknown as StateMachineDefinition),
  ]);
  if (!isReady) stores.observer.log("error", "no document process starts; documents are refused until one does");
}

/** @throws ConfigError when the data folder or the address cannot be used */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const undo: Undo = [];
  try {
    return await start(options, undo);
  } catch (error) {
    await undoAll(undo);
    throw startFault(error, options.config.dataDir);
  }
}

async function start(options: ServiceOptions, undo: Undo): Promise<RunningService> {
  const { config } = options;
  undo.push(openDataDir(config.dataDir));
  const clock = systemClock();
  const folder = await openDataFolder(config.dataDir, clock);
  undo.push(() => folder.records.close());
  let url = "";
  const local = openPlatform(options, { ...folder, clock }, () => url);
  const { platform, stores, engines, workflows } = local;
  undo.push(() => engines.close());
  const { key, observer, ports } = stores;

  const system = systemRecords(ports.records);
  const keyring = new Keyring(system, key, clock);
  await keyring.replaceEnvironmentKeys(config.keys);
  // Before the first request, which may hold tokens.
  await releaseLostHolds(platform, system);

  const readiness = new Readiness(config.dataDir, () => engines.engines.documents.fault());
  const front = makeFront(local, keyring, readiness, options);
  const port = await front.listen(config.host, config.port).catch((error: NodeJS.ErrnoException) => {
    throw listenError(config, error);
  });
  undo.push(() => front.close(0));
  url = urlOf(config.host, port);

  await restartClocks(platform, system);
  const resumed = await workflows.resume();
  undo.push(() => workflows.close());
  const background = startBackgroundWork(local, system);
  const stopCheck = checkLater(folder.recordsFile, readiness, observer);
  await warmUp(local);
  readiness.begin();

  return {
    url,
    port,
    engines: platform.engines.states(),
    observer,
    resumed,
    async close(graceMs) {
      readiness.end();
      stopCheck();
      background.stopSweeping();
      await front.close(graceMs);
      await background.closeConsumers(graceMs);
      await workflows.drain(graceMs);
      await undoAll(undo);
    },
  };
}
