import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConditionFailed } from "../../../../functions/ports/errors.ts";
import type { RecordQuery } from "../../../../functions/ports/records.ts";
import { addCaseDocument } from "../../../../functions/service/cases/add-document.ts";
import {
  listCaseDocuments,
  loadCaseLayout,
  readDocuments,
} from "../../../../functions/service/cases/case-documents.ts";
import { announceCaseUpload } from "../../../../functions/service/cases/case-uploads.ts";
import { createCase, loadCase, MAX_CASES, updateCase } from "../../../../functions/service/cases/cases.ts";
import {
  deleteCase,
  deleteCaseDocument,
  finishCaseDeletion,
} from "../../../../functions/service/lifecycle/delete-case.ts";
import { finishDeletion } from "../../../../functions/service/lifecycle/delete-job.ts";
import { processMessage } from "../../../../functions/service/lifecycle/dispatch.ts";
import { sweepRetention } from "../../../../functions/service/lifecycle/retention.ts";
import { settleRun } from "../../../../functions/service/lifecycle/settle-run.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { bindOrganization, type Organization } from "../../../../functions/service/organizations/organization.ts";
import { type JobRecord, jobKey } from "../../../../functions/service/runs/job-records.ts";
import { withMethods } from "../../../support/changed.ts";
import { type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";

let test: TestPlatform;
let org: Organization;
beforeEach(() => {
  test = testPlatform({
    describe: async () => Buffer.from('{"document_type":"other","title":"T","summary":"S","key_facts":[]}'),
  });
  ({ org } = test);
});
afterEach(() => test.close());

const newCase = async (): Promise<number> =>
  (await createCase(org, { name: "Claim", description: null, userId: "key" })).id;

const add = (caseId: number, text = "Text.", where = org) =>
  addCaseDocument(where, caseId, {
    guid: org.engines.clock.guid(),
    fileName: "a.txt",
    metadata: { note: "x".repeat(10_000) },
    file: { bytes: Buffer.from(text), mimeType: "text/plain", fileName: "a.txt" },
  });

async function read(caseId: number, documentId: string): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    const { documents } = await listCaseDocuments(org, caseId, { page: 0, size: 200 });
    const found = documents.find(({ document }) => document.documentId === documentId);
    if (found?.state.status === "COMPLETED") return;
    await org.engines.clock.sleep(10);
  }
  throw new Error(`Document ${documentId} was not read`);
}

const keysBelow = async (prefix: string): Promise<string[]> =>
  (await org.blobs.list(prefix)).blobs.map(({ key }) => key);

describe("a case", () => {
  it("is changed by one of several concurrent requests", async () => {
    const id = await newCase();
    const changes = Array.from({ length: 5 }, (_, index) => updateCase(org, id, { name: `Name ${index}` }));
    const outcomes = await Promise.allSettled(changes);
    const lost = outcomes.filter((one) => one.status === "rejected");
    expect(lost.length).toBeGreaterThan(0);
    for (const { reason } of lost) expect(reason.name).toBe("ConcurrentModification");
    const winners = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value.name] : []));
    expect(winners).toContain((await loadCase(org, id)).value.name);
  });

  it("is one of at most 2,000, and leaves room for another when it is deleted", async () => {
    const first = await newCase();
    await org.records.add({ partition: "case-count", sort: "cases" }, { left: 1 - MAX_CASES });
    await expect(newCase()).rejects.toThrow("at most 2,000 cases");
    await deleteCase(org, first);
    await expect(newCase()).resolves.toBe(first + 2);
  });

  it("takes no document while it is being deleted", async () => {
    const id = await newCase();
    const outcomes = await Promise.allSettled([...Array.from({ length: 10 }, () => add(id)), deleteCase(org, id)]);
    expect(outcomes.at(-1)?.status).toBe("fulfilled");
    while (!(await finishCaseDeletion(org, id)));
    for (const outcome of outcomes.slice(0, 10)) {
      if (outcome.status === "rejected") expect(outcome.reason.name).toBe("NotFound");
      else await finishDeletion(org, (outcome.value as Awaited<ReturnType<typeof add>>).document.documentId);
    }
    expect((await org.records.query({ partition: `case/${id}` })).items).toEqual([]);
  });

  it("leaves no record and no file, also when its deletion was cut short", async () => {
    const id = await newCase();
    const documents = await Promise.all(Array.from({ length: 3 }, () => add(id)));
    for (const { document } of documents) await read(id, document.documentId);
    const open = await add(id, "Still being read.", withLostStarts(org));
    // The queue loses everything.
    const deaf = { ...org, queue: withMethods(org.queue, { send: async () => ({ id: "lost" }) }) };
    await deleteCase(deaf, id);
    for (let round = 0; round < 4; round += 1) await sweep(test.platform, test.system);
    expect((await org.records.query({ partition: `case/${id}` })).items).toEqual([]);
    for (const { document } of [...documents, open]) {
      // A run that the sweep has started may write late; the second deletion, which the deaf queue lost, removes that.
      await vi.waitFor(async () => {
        await finishDeletion(org, document.documentId);
        expect(await keysBelow(`jobs/${document.documentId}/`)).toEqual([]);
      });
      expect((await org.records.query({ partition: `job/${document.documentId}` })).items).toEqual([]);
    }
  });
});

describe("a document that is deleted while it is read", () => {
  it("is gone, and the end of its run writes nothing", async () => {
    const id = await newCase();
    const { documentId } = (await add(id, "Text.", withLostStarts(org))).document;
    await deleteCaseDocument(org, id, documentId);
    // Its job is there until the queue has ended the run.
    expect((await org.records.get<JobRecord>(jobKey(documentId)))?.value.openRun).toBe(1);
    await finishDeletion(org, documentId);
    expect(await settleRun(org, documentId, 1, undefined)).toBe("CANCELLED");
    expect(await settleRun(org, documentId, 1, "Processing failed: It was stopped")).toBe("CANCELLED");
    for (const partition of [`case/${id}`, `job/${documentId}`]) {
      const { items } = await org.records.query({ partition });
      expect(items.filter(({ key }) => !key.sort.startsWith("places/"))).toEqual([]);
    }
    expect(await org.records.due(`${documentId}/1`)).toBeUndefined();
    expect(await keysBelow(`jobs/${documentId}/`)).toEqual([]);
  });
});

describe("the documents of a case", () => {
  it("are kept with their layouts when jobs expire", async () => {
    const id = await newCase();
    const { documentId } = (await add(id)).document;
    await read(id, documentId);
    test.pass(400 * 86_400);
    expect(await sweepRetention(test.platform, test.system)).toBe(0);
    expect((await listCaseDocuments(org, id, { page: 0, size: 20 })).documents).toHaveLength(1);
    expect(await loadCaseLayout(org, id, documentId)).toBeDefined();
    const layouts: unknown[] = [];
    for await (const one of readDocuments(org, id)) layouts.push(one);
    expect(layouts).toEqual([{ documentId, layoutKey: expect.stringContaining(documentId) }]);
  });

  it("are read in pages, without the other documents of the case", async () => {
    const id = await newCase();
    const lost = withLostStarts(org);
    for (let index = 0; index < 60; index += 1) await add(id, `Text ${index}.`, lost);
    let bytes = 0;
    const count = <T>(value: T): T => {
      bytes += JSON.stringify(value ?? null).length;
      return value;
    };
    const { records } = org;
    const counted = {
      ...records,
      get: async (key: Parameters<typeof records.get>[0]) => count(await records.get(key)),
      query: async (query: RecordQuery) => count(await records.query(query)),
    } as typeof records;
    const page = await listCaseDocuments({ ...org, records: counted }, id, { page: 2, size: 5 });
    expect(page.documents).toHaveLength(5);
    // Five documents of 10 KB, and small states up to the page.
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(65_000);
  });
});

describe("a document sent to an address", () => {
  it("takes a place of its case, and there is none in a full one", async () => {
    const id = await newCase();
    const announce = () => {
      const guid = org.engines.clock.guid();
      return announceCaseUpload(org, id, { guid, fileName: "a.txt", mimeType: "text/plain", size: 5 });
    };
    for (let index = 0; index < 200; index += 1) await announce();
    await expect(announce()).rejects.toThrow("Case document limit reached: 200");
    await expect(add(id)).rejects.toThrow("Case document limit reached: 200");
  });

  it("that never came is FAILED when the address has expired", async () => {
    const id = await newCase();
    const guid = org.engines.clock.guid();
    await announceCaseUpload(org, id, { guid, fileName: "a.txt", mimeType: "text/plain", size: 5 });
    const look = () =>
      processMessage(test.platform, { id: "m", body: { kind: "case-upload", guid, organizationId: 1 }, receives: 1 });
    await look();
    expect((await listCaseDocuments(org, id, { page: 0, size: 1 })).documents[0]?.state.status).toBe("PENDING");
    test.pass(1_000);
    await look();
    const [found] = (await listCaseDocuments(org, id, { page: 0, size: 1 })).documents;
    expect(found?.state.status).toBe("FAILED");
    // Nothing is due any more.
    expect(await org.records.due(`${guid}/case-upload`)).toBeUndefined();
  });
});

it("a case of another organization is unknown", async () => {
  const id = await newCase();
  const other = bindOrganization(test.platform, 2);
  await expect(loadCase(other, id)).rejects.toThrow(`There is no case ${id}`);
  await expect(add(id, "Text.", other)).rejects.toThrow(`There is no case ${id}`);
});

describe("a deletion that meets other writers", () => {
  it("of a case gives way to a change", async () => {
    const id = await newCase();
    const { records } = org;
    const changing = withMethods(records, {
      transact: async (operations) => {
        await updateCase(org, id, { name: "Changed meanwhile" });
        return records.transact(operations);
      },
    });
    await expect(deleteCase({ ...org, records: changing }, id)).rejects.toThrow("Concurrent modification: the case");
    expect((await loadCase(org, id)).value.name).toBe("Changed meanwhile");
  });

  it("of a document gives way when it meets them again and again", async () => {
    const id = await newCase();
    const { documentId } = (await add(id, "Text.", withLostStarts(org))).document;
    const refusing = withMethods(org.records, {
      transact: async () => {
        throw new ConditionFailed("Another write was first", [0]);
      },
    });
    const deletion = deleteCaseDocument({ ...org, records: refusing }, id, documentId);
    await expect(deletion).rejects.toThrow("Concurrent modification: the job");
    expect((await listCaseDocuments(org, id, { page: 0, size: 1 })).total).toBe(1);
  });
});
