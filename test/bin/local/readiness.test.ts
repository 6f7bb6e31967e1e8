import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Readiness } from "../../../bin/local/readiness.ts";
import { health } from "../../../functions/api/service.ts";
import { canMount, openSmallDisk } from "../../support/small-disk.ts";

const folder = mkdtempSync(join(tmpdir(), "sheaf-readiness-"));
afterAll(() => rmSync(folder, { recursive: true }));

const answer = (readiness: Readiness) =>
  health.run(undefined as never, {
    version: "1",
    engines: () => ({}) as never,
    openapi: () => "{}",
    referenceScript: async () => new Uint8Array(),
    takePaymentEvent: async () => undefined,
    unready: () => readiness.why(),
  });

describe("GET /health", () => {
  it("is 503 while the service starts and stops, and 200 in between", async () => {
    const readiness = new Readiness(folder);
    await expect(answer(readiness)).rejects.toMatchObject({
      kind: "ServiceUnavailable",
      message: "The service is starting",
      retryAfter: 5,
    });
    readiness.begin();
    expect(await answer(readiness)).toMatchObject({ status: 200, body: { status: "ok" } });
    readiness.end();
    await expect(answer(readiness)).rejects.toMatchObject({ message: "The service is stopping" });
  });

  it("stays 503 after a fault that only a start mends", async () => {
    const readiness = new Readiness(folder);
    readiness.begin();
    readiness.fail("The database of the service is damaged");
    await expect(answer(readiness)).rejects.toThrow("The database of the service is damaged");
    await expect(answer(readiness)).rejects.toThrow("The database of the service is damaged");
  });

  it.skipIf(!canMount())("is 503 while the disk is full", async () => {
    const disk = openSmallDisk(4);
    try {
      const readiness = new Readiness(disk.path);
      readiness.begin();
      disk.fill(100_000);
      await expect(answer(readiness)).rejects.toThrow(/^The disk of the service is full/);
      disk.clear();
      expect(await answer(readiness)).toMatchObject({ status: 200 });
    } finally {
      disk.close();
    }
  });
});
