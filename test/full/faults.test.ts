/** The service as a process on a disk of 6 MB, with 128 file handles, and with a large damaged database. */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { MAX_CHECKED_AT_START_BYTES } from "../../functions/adapters/local/records-check.ts";
import { work } from "../support/chaos/client.ts";
import { History } from "../support/chaos/history.ts";
import { ChaosService } from "../support/chaos.ts";
import { manualClock } from "../support/clock.ts";
import { KEYS } from "../support/keys.ts";
import { startLocalService } from "../support/local-service.ts";
import { canMount, openSmallDisk } from "../support/small-disk.ts";

const headers = { authorization: `Bearer ${KEYS.one}` };
const upload = (url: string, text: string): Promise<Response> => {
  const body = new FormData();
  body.append("document", new Blob([text], { type: "text/plain" }), "a.txt");
  return fetch(`${url}/document/upload`, { method: "POST", headers, body });
};
const health = async (url: string): Promise<{ status: number; message?: string }> => {
  const response = await fetch(`${url}/health`);
  const { message } = (await response.json()) as { message?: string };
  return { status: response.status, ...(message === undefined ? {} : { message }) };
};

describe.skipIf(!canMount())("a disk of 6 MB", () => {
  it("takes documents until it is full, then answers 507, and goes on when there is room", async () => {
    const disk = openSmallDisk(6);
    const lines: string[] = [];
    const service = new ChaosService({}, { dataDir: disk.path, log: (text) => lines.push(text) });
    try {
      const accepted = await service.job("small", Buffer.from("Total: 12.00 EUR"), { schema: { total: "number" } });
      expect(accepted).toMatchObject({ status: "COMPLETED", result: { total: 12 } });
      expect(await health(service.url)).toMatchObject({ status: 200 });
      const statuses: number[] = [];
      const guids: string[] = [];
      while (!statuses.includes(507) && statuses.length < 40) {
        const answer = await upload(service.url, "A line of a long text.\n".repeat(20_000));
        const { guid = "", message } = (await answer.json()) as { guid?: string; message?: string };
        statuses.push(answer.status);
        if (answer.status === 201) guids.push(guid);
        else expect(message).toMatch(/^The service has no room left on its disk/);
      }
      expect(new Set(statuses)).toEqual(new Set([201, 507]));
      disk.fill();
      expect(await health(service.url)).toMatchObject({
        status: 503,
        message: expect.stringMatching(/disk .* is full/),
      });
      for (const guid of [accepted.guid, ...guids]) {
        expect((await fetch(`${service.url}/job/status/${guid}`, { headers })).status, "readers go on").toBe(200);
      }
      expect(lines.join("")).toContain('"code":"ENOSPC"');
      await service.kill();
      await expect(service.start()).rejects.toThrow("ended before it was ready");
      expect(lines.join("")).toContain(`The disk of the data folder ${disk.path} is full`);

      disk.clear();
      for (const guid of guids) await service.call("DELETE", `/job/${guid}`);
      await expect.poll(() => health(service.url), { timeout: 10_000 }).toMatchObject({ status: 200 });
      const again = await service.job("again", Buffer.from("Total: 13.00 EUR"), { schema: { total: "number" } });
      expect(again).toMatchObject({ status: "COMPLETED", result: { total: 13 } });
    } finally {
      await service.close();
      disk.close();
    }
  });
});

describe("128 file handles", () => {
  it("are enough for work, and callers that take them all end no job and no process", async () => {
    await using service = new ChaosService({}, { openFiles: 128, allProcesses: true, log: () => undefined });
    const history = new History();
    const job = (name: string) => work(service, history, { name, kind: "text", word: name });
    await job("first");
    const { pid } = service;
    const jobs = ["second", "third", "fourth"].map(job);
    const sockets: Socket[] = [];
    for (let held = 0; held < 300; held += 1) {
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      sockets.push(socket);
    }
    await sleep(2_000);
    for (const socket of sockets) socket.destroy();
    await Promise.all(jobs);
    for (const { name, end, result } of history.jobs) {
      expect(end).toEqual({ status: "COMPLETED", error: null, runs: 1 });
      expect(result).toContain(name);
    }
    expect(history.wrong).toEqual([]);
    expect(history.answers.get(500)).toBeUndefined();
    expect(await health(service.url)).toMatchObject({ status: 200 });
    expect(service.pid).toBe(pid);
  });
});

describe("a database over 64 MB", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  /** A data folder whose database is too large for a check at the start. */
  async function largeFolder(): Promise<string> {
    const dataDir = mkdtempSync(join(tmpdir(), "sheaf-large-"));
    folders.push(dataDir);
    await (await startLocalService({ dataDir })).close();
    const records = openRecords(join(dataDir, "records.sqlite"), { clock: manualClock() });
    const text = "x".repeat(380_000);
    const operations = (part: number) =>
      Array.from({ length: 10 }, (_, index) => ({
        kind: "put" as const,
        key: { partition: "org/9/large", sort: `${part}-${index}` },
        value: { v: 1, text },
      }));
    for (let part = 0; part < 20; part += 1) await records.transact(operations(part));
    records.close();
    expect(statSync(join(dataDir, "records.sqlite")).size).toBeGreaterThan(MAX_CHECKED_AT_START_BYTES);
    return dataDir;
  }

  it("does not delay the start; a damage turns /health to 503", async () => {
    const dataDir = await largeFolder();
    const sound = await startLocalService({ dataDir });
    await expect.poll(() => sound.log(), { timeout: 30_000 }).toContain("the database is sound");
    expect(await health(sound.url)).toMatchObject({ status: 200 });
    await sound.close();

    const file = openSync(join(dataDir, "records.sqlite"), "r+");
    writeSync(file, Buffer.alloc(4096 * 8, 0xa5), 0, 4096 * 8, 60 * 2 ** 20);
    closeSync(file);
    const damaged = await startLocalService({ dataDir });
    await expect
      .poll(() => health(damaged.url), { timeout: 30_000 })
      .toMatchObject({ status: 503, message: expect.stringMatching(/^The database of the service is damaged/) });
    expect(damaged.log()).toContain("the database is damaged");
    await damaged.close();
  });
});
