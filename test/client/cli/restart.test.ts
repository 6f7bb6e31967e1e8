/** A service that goes away while commands wait, and comes back. */
import { expect, test } from "vitest";
import { commandLine } from "./command-line.support.ts";

const { service, run } = commandLine();

/** Longer than the retries of a call after a broken connection: at most 1.25 × (0.25 + 0.5 + 1) s. */
const DOWN_MS = 2_300;

test("Commands wait for a service that restarts, and say so once", async () => {
  const { guid } = service.addJob("COMPLETED");
  const stopped = Promise.withResolvers<void>();
  service.failNext("GET", /status/, async (_request, response) => {
    response.socket?.destroy();
    const { port } = new URL(service.url);
    await service.stop();
    setTimeout(() => void service.start(Number(port)), DOWN_MS);
    stopped.resolve();
    return true;
  });
  const running = run(["process", "/in/letter.txt"]);
  await stopped.promise;
  // A job's GUID shows that there was a service, though this command has had no answer.
  const outcomes = await Promise.all([running, run(["wait", guid])]);
  for (const { exitCode, stdout, stderr } of outcomes) {
    expect([exitCode, JSON.parse(stdout).total]).toEqual([0, 12.5]);
    expect(stderr.match(/waiting up to 30 s for the service to come back\n/g)).toHaveLength(1);
    expect(stderr).toContain("The service answers again\n");
  }
});
