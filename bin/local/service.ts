/** The whole service on one machine: platform, HTTP side and background work. */
import type { LocalObserver } from "../../functions/adapters/local/observer.ts";
import { restartClocks } from "../../functions/service/lifecycle/sweep.ts";
import { Keyring } from "../../functions/service/organizations/api-keys.ts";
import type { Engines } from "../../functions/service/organizations/engines.ts";
import { systemRecords } from "../../functions/service/organizations/organization-records.ts";
import { startBackgroundWork } from "./background.ts";
import { openDataDir } from "./data-dir.ts";
import { listenError, makeFront, urlOf } from "./http.ts";
import { openPlatform } from "./platform.ts";
import type { ServiceOptions } from "./service-options.ts";

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

/** @throws ConfigError when the data folder or the address cannot be used */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config } = options;
  const unlock = openDataDir(config.dataDir);
  let url = "";
  const local = openPlatform(options, () => url);
  const { platform, stores, engines, workflows } = local;
  const { clock, key, observer, ports, records } = stores;

  const system = systemRecords(ports.records);
  const keyring = new Keyring(system, key, clock);
  await keyring.replaceEnvironmentKeys(config.keys);

  const front = makeFront(local, keyring);
  const port = await front.listen(config.host, config.port).catch((error: NodeJS.ErrnoException) => {
    void engines.closeDocuments();
    records.close();
    unlock();
    throw listenError(config, error);
  });
  url = urlOf(config.host, port);

  await restartClocks(platform, system);
  const resumed = await workflows.resume();
  const background = startBackgroundWork(local, system);

  return {
    url,
    port,
    engines: platform.engines.states(),
    observer,
    resumed,
    async close(graceMs) {
      background.stopSweeping();
      await front.close(graceMs);
      await background.closeConsumers(graceMs);
      await workflows.drain(graceMs);
      await workflows.close();
      await engines.close();
      records.close();
      unlock();
    },
  };
}
