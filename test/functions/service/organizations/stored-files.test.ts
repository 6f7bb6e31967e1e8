/** Quotas on documents and stored bytes: exact for many at once, counted once, and given back. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";
import { receivingOrganization } from "../../../../functions/service/organizations/receiving-organization.ts";
import { type DocumentQuotas, QUOTAS_KEY } from "../../../../functions/service/organizations/stored-files.ts";
import { deleteFilesBelow } from "../../../../functions/service/runs/erase-job-data.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

let at: TestPlatform;
/** As requests see it. */
let org: Organization;
beforeEach(() => {
  at = testPlatform();
  org = receivingOrganization(at.org);
});
afterEach(() => at.close());

const limit = async (quotas: Partial<DocumentQuotas>): Promise<void> => {
  await at.org.records.put(QUOTAS_KEY, { v: 1, documentsPerDay: null, storageBytes: null, ...quotas });
};
const send = (name: string, size = 10) => org.blobs.put(`jobs/${name}/source`, new Uint8Array(size));
const use = () => at.org.storedFiles.use();

describe("a file that a request stores", () => {
  it("counts once, however often it is stored, and is given back when it is deleted", async () => {
    await send("a");
    await send("a");
    await send("b", 5);
    expect(await use()).toEqual({ documentsToday: 2, storedBytes: 15 });
    await at.org.blobs.delete("jobs/a/source");
    await at.org.blobs.delete("jobs/a/source");
    expect(await use()).toEqual({ documentsToday: 2, storedBytes: 5 });
    await deleteFilesBelow(at.org, "jobs/b/");
    expect((await use()).storedBytes).toBe(0);
  });

  it.each([
    ["jobs/a/source", true],
    ["templates/t/document", true],
    ["templates/t/pictures/p", true],
    ["cases/3/documents/d", true],
    ["jobs/a/1/result.json", false],
    ["jobs/a/pages/1.png", false],
    ["jobs/a/commands/c.json", false],
    ["templates/t/fields.json", false],
    ["templates/filled/g", false],
    ["knowledge/3/index", false],
  ])("%s counts: %s", async (key, counts) => {
    await org.blobs.put(key, new Uint8Array(3));
    expect(await use()).toEqual(counts ? { documentsToday: 1, storedBytes: 3 } : { documentsToday: 0, storedBytes: 0 });
    // What work stores is not sent.
    await at.org.blobs.put(`${key}-work`, new Uint8Array(3));
    expect((await use()).documentsToday).toBe(counts ? 1 : 0);
  });

  it("counts when its own address is given, and once with the document that it becomes", async () => {
    const announced = { expiresInSeconds: 60, contentType: "text/plain", size: 7 };
    await org.blobs.presignPut("jobs/u/upload", announced);
    expect(await use()).toEqual({ documentsToday: 1, storedBytes: 7 });
    await send("u", 7);
    await at.org.blobs.delete("jobs/u/upload");
    expect(await use()).toEqual({ documentsToday: 1, storedBytes: 7 });
    await org.blobs.presignPut("jobs/never/upload", announced);
    await deleteFilesBelow(at.org, "jobs/never/");
    expect((await use()).storedBytes).toBe(7);
  });

  it("that cannot be written does not count", async () => {
    const failing = receivingOrganization({
      ...at.org,
      blobs: { ...at.org.blobs, put: () => Promise.reject(new Error("disk")) },
    });
    await expect(failing.blobs.put("jobs/a/source", new Uint8Array(3))).rejects.toThrow("disk");
    expect(await use()).toEqual({ documentsToday: 0, storedBytes: 0 });
  });
});

describe("the quota of documents a day", () => {
  it("takes exactly so many of 50 at once, on the first day and on the next", async () => {
    await limit({ documentsPerDay: 20 });
    for (const day of ["1", "2"]) {
      const sent = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => send(`${day}-${index}`)));
      expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
      const refused = sent.filter((one) => one.status === "rejected").map(({ reason }) => reason);
      expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(["Forbidden"]));
      expect(refused[0].message).toBe(
        "Your organization may send 20 documents a day and has sent them; send more after 00:00 UTC",
      );
      expect(refused[0].retryAfter).toBeGreaterThan(0);
      expect((await use()).documentsToday).toBe(20);
      at.pass(24 * 3600);
    }
    expect(await use()).toEqual({ documentsToday: 0, storedBytes: 400 });
  });
});

describe("the quota of stored bytes", () => {
  it("is never passed by 50 at once, names what is left, and frees with a deletion", async () => {
    await limit({ storageBytes: 205 });
    const sent = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => send(`${index}`)));
    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    await expect(send("late")).rejects.toThrow("may store 205 bytes of documents, and 5 are left");
    await send("small", 5);
    const gone = sent.findIndex(({ status }) => status === "fulfilled");
    await at.org.blobs.delete(`jobs/${gone}/source`);
    await send("late");
    expect((await use()).storedBytes).toBe(205);
  });

  it("is the organization's own", async () => {
    await limit({ storageBytes: 1 });
    await receivingOrganization(at.other).blobs.put("jobs/x/source", new Uint8Array(100));
    expect((await use()).storedBytes).toBe(0);
  });
});
