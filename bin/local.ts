/** `npm start`: the service on this machine. */
import "./local/file-threads.ts";
import { performance } from "node:perf_hooks";
import { machineFault } from "../functions/ports/machine-faults.ts";
import { describeError } from "../functions/ports/observer.ts";
import { banner } from "./local/banner.ts";
import { ConfigError, parseConfig } from "./local/config.ts";
import { type RunningService, startService } from "./local/service.ts";

const SHUTDOWN_GRACE_MS = 10_000;

/** The first Ctrl-C drains the service; the second ends it at once, and the next start continues its work. */
function stopOnSignals(service: RunningService): void {
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(130);
      stopping = true;
      process.stderr.write(
        "\nStopping: requests and steps under way are finished; what remains goes on at the next start.\n",
      );
      service.close(SHUTDOWN_GRACE_MS).then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

/** A log line or a banner that cannot be written, to a full disk or a closed terminal, does not end the service. */
function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/**
 * Garbage in the channel of a document process makes Node throw here, uncatchable elsewhere: it costs the process, not
 * the service. A fault of the machine, in work that nobody waits for, costs that work. Any other unexpected error ends
 * the service in order; the next start continues.
 */
function handleUncaughtErrors(service: RunningService): void {
  process.on("uncaughtException", (error) => {
    service.observer.log("error", "unexpected error", describeError(error));
    if (/node:internal\/child_process/.test(error.stack ?? "") || machineFault(error) !== undefined) return;
    service.close(SHUTDOWN_GRACE_MS).finally(() => process.exit(1));
  });
}

ignoreLostOutput();
try {
  const config = parseConfig(process.env);
  const service = await startService({ config, log: process.stderr });
  stopOnSignals(service);
  handleUncaughtErrors(service);
  process.stdout.write(banner(config, service, performance.now()));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
