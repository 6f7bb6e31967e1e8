/** An engine of one process that starts from the service's bundle, for tests that need no service. */
import { ENGINE_PROCESS, openServiceBundle } from "../../bin/local/service-bundle.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { type LocalEngine, openEngine } from "../../functions/adapters/local/engine.ts";

/** Opens an engine; without a bundle its process loads all sources, for 3 s. The caller closes it. */
export async function openBundledEngine(
  options: { jobTimeoutSeconds: number; memoryLimitBytes?: number },
  clock = systemClock(),
): Promise<LocalEngine> {
  const { bundle } = await openServiceBundle();
  const bundled = bundle === undefined ? {} : { bundled: bundle.fileOf(ENGINE_PROCESS) };
  return openEngine({ clock, size: 1, shortTaskProcess: false, ...options, ...bundled });
}
