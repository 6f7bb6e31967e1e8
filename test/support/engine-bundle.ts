/** The bundle of the document processes, for tests that open an engine without a service. */
import { ENGINE_PROCESS, openServiceBundle } from "../../bin/local/service-bundle.ts";

const opened = openServiceBundle();

/**
 * The option `bundled` of `openEngine`: from its sources, each process loads the whole engine for 3 s. Without a bundle
 * they do.
 */
export async function bundledEngine(): Promise<{ bundled?: URL }> {
  const { bundle } = await opened;
  return bundle === undefined ? {} : { bundled: bundle.fileOf(ENGINE_PROCESS) };
}
