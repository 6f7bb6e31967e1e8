/** kill -9 at every write of a case's way, and amid 250 uploads: nothing is lost, nothing is there twice. */
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ChaosService } from "../support/chaos.ts";
import { isWrite } from "../support/fail-points.ts";
import { KEYS } from "../support/keys.ts";

const UPLOADS = 250;
const LIMIT = 200;
const KILLS = 6;
/** Milliseconds between a start and its kill: long enough for some uploads, too short for all. */
const KILL_AFTER_MS = 900;

interface Document {
  documentId: string;
  filename: string;
  processingStatus: string;
}

const authorization = `Bearer ${KEYS.one}`;

function body(name: string): FormData {
  const form = new FormData();
  form.append("document", new Blob([`Claim number: ${name}\n`], { type: "text/plain" }), `${name}.txt`);
  return form;
}

async function newCase(service: ChaosService): Promise<number> {
  const made = await service.call("POST", "/cases", {
    body: () => JSON.stringify({ name: "Crash" }),
    headers: { "content-type": "application/json" },
  });
  return made.id;
}

/** One try of an upload. @returns the status; undefined when the service died */
async function tryUpload(service: ChaosService, caseId: number, name: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${service.url}/cases/${caseId}/documents`, {
      method: "POST",
      headers: { authorization, "idempotency-key": `${caseId}-${name}` },
      body: body(name),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

async function documentsOf(service: ChaosService, caseId: number): Promise<Document[]> {
  const page = await service.call("GET", `/cases/${caseId}/documents?size=200`);
  expect(page.totalSize).toBe(page.content.length);
  return page.content;
}

/** Waits until all documents of a case are read. */
async function allRead(service: ChaosService, caseId: number): Promise<Document[]> {
  for (let round = 0; round < 900; round += 1) {
    const documents = await documentsOf(service, caseId);
    if (documents.every(({ processingStatus }) => processingStatus === "COMPLETED")) return documents;
    await sleep(200);
  }
  throw new Error("The documents of the case were not read");
}

async function statusOf(service: ChaosService, path: string): Promise<number> {
  const response = await fetch(service.url + path, { headers: { authorization } });
  await response.arrayBuffer();
  return response.status;
}

/** Waits until a path is unknown. */
async function gone(service: ChaosService, path: string): Promise<boolean> {
  for (let round = 0; round < 150; round += 1) {
    if ((await statusOf(service, path)) === 404) return true;
    await sleep(100);
  }
  return false;
}

/** The files of a document that are left, once the deletion has had its time. */
async function filesOf({ dataDir }: ChaosService, documentId: string): Promise<string[]> {
  let left: string[] = [];
  for (let round = 0; round < 100; round += 1) {
    const paths = readdirSync(dataDir, { recursive: true, withFileTypes: true });
    left = paths.filter((one) => one.isFile() && one.parentPath.includes(documentId)).map(({ name }) => name);
    if (left.length === 0) return [];
    await sleep(100);
  }
  return left;
}

describe("a case survives kill -9", { timeout: 900_000 }, () => {
  it("amid 250 uploads at once: 200 are in, once each, 50 are told so", async () => {
    await using service = new ChaosService();
    const caseId = await newCase(service);
    const answers = new Map<string, number>();
    let kills = 0;
    const names = Array.from({ length: UPLOADS }, (_, index) => `d${String(index).padStart(3, "0")}`);
    while (answers.size < UPLOADS) {
      await service.up();
      const open = names.filter((name) => !answers.has(name));
      const round = Promise.all(
        open.map(async (name) => {
          const status = await tryUpload(service, caseId, name);
          if (status === 201 || status === 409) answers.set(name, status);
        }),
      );
      if (kills < KILLS) {
        await sleep(KILL_AFTER_MS);
        await service.kill();
        kills += 1;
      }
      await round;
    }
    const statuses = [...answers.values()];
    console.log(`${kills} kills, ${service.starts} starts`);
    expect(statuses.filter((status) => status === 201)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 409)).toHaveLength(UPLOADS - LIMIT);
    const documents = await allRead(service, caseId);
    const acknowledged = names.filter((name) => answers.get(name) === 201).map((name) => `${name}.txt`);
    expect(documents.map(({ filename }) => filename).sort()).toEqual(acknowledged);
    const summaries = await service.call("GET", `/cases/${caseId}/summaries`);
    expect(summaries).toHaveLength(LIMIT);
  });

  it("before every write of an upload, its reading and its summary", async () => {
    await using service = new ChaosService();
    const caseId = await newCase(service);
    const upload = async (name: string): Promise<void> => {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        await service.up();
        if ((await tryUpload(service, caseId, name)) === 201) return;
      }
      throw new Error(`${name} was not taken`);
    };
    await service.arm();
    await upload("undisturbed");
    await allRead(service, caseId);
    await sleep(500);
    const writes = (await service.calls()).filter(isWrite);
    const points = [...new Set([...writes.map((call) => `${call}:before`), `${writes.at(-1)}:after`])];
    expect(points.length).toBeGreaterThan(8);
    for (const [at, point] of points.entries()) {
      const name = `point-${at}`;
      await service.arm(point);
      await upload(name);
      const documents = await allRead(service, caseId);
      const found = documents.filter(({ filename }) => filename === `${name}.txt`);
      expect([point, found.length]).toEqual([point, 1]);
      const summary = await service.call("GET", `/cases/${caseId}/documents/${found[0]?.documentId}/summary`);
      expect([point, summary.summary.key_facts]).toEqual([point, [`Claim number: ${name}`]]);
    }
    expect(await documentsOf(service, caseId)).toHaveLength(points.length + 1);
    console.log(`${points.length} kills`);
  });

  it("in the deletion of a case, which ends after the next start", async () => {
    await using service = new ChaosService();
    const fill = async (): Promise<{ caseId: number; documents: Document[] }> => {
      const caseId = await newCase(service);
      await service.up();
      for (const name of ["a", "b"]) expect(await tryUpload(service, caseId, name)).toBe(201);
      return { caseId, documents: await allRead(service, caseId) };
    };
    const remove = (caseId: number) =>
      fetch(`${service.url}/cases/${caseId}`, { method: "DELETE", headers: { authorization } }).catch(() => undefined);
    const first = await fill();
    await service.arm();
    await remove(first.caseId);
    await sleep(1_000);
    const writes = (await service.calls()).filter(isWrite);
    const points = [...new Set([...writes.map((call) => `${call}:before`), `${writes.at(-1)}:after`])];
    expect(points.length).toBeGreaterThan(4);
    for (const point of points) {
      const { caseId, documents } = await fill();
      await service.arm(point);
      await remove(caseId);
      for (let waited = 0; service.alive && waited < 1_000; waited += 20) await sleep(20);
      await service.up();
      if ((await statusOf(service, `/cases/${caseId}`)) === 200) {
        // It was never deleted: then it is whole.
        expect([point, await documentsOf(service, caseId)]).toEqual([point, documents]);
        continue;
      }
      for (const { documentId } of documents) {
        expect([point, await gone(service, `/job/status/${documentId}`)]).toEqual([point, true]);
        expect([point, await filesOf(service, documentId)]).toEqual([point, []]);
      }
    }
    console.log(`${points.length} kills`);
  });
});
