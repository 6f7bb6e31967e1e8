import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { organizationRecords } from "../../../../functions/service/organizations/organization-records.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

let at: TestPlatform;
beforeEach(() => {
  at = testPlatform();
});
afterEach(() => at.close());

const key = { partition: "things", sort: "a" };

describe("records bound to an organization", () => {
  it("read and write only the organization's, by relative keys", async () => {
    await at.org.records.put(key, { v: 1, whose: "one" });
    await at.other.records.put(key, { v: 1, whose: "two" });
    expect((await at.org.records.get(key))?.value).toEqual({ v: 1, whose: "one" });
    expect((await at.org.records.query({ partition: "things" })).items).toMatchObject([
      { key, value: { whose: "one" } },
    ]);
    await at.org.records.transact([{ kind: "delete", key }]);
    expect(await at.org.records.get(key)).toBeUndefined();
    expect((await at.other.records.get(key))?.value).toEqual({ v: 1, whose: "two" });
  });

  it("treat a partition as a name, not as a path", async () => {
    await at.other.records.put(key, { v: 1, whose: "two" });
    for (const partition of ["../2/things", "/org/2/things", "org/2/things", "..", "2/things"]) {
      expect(await at.org.records.get({ partition, sort: "a" })).toBeUndefined();
    }
    await expect(at.org.records.get({ partition: "", sort: "a" })).rejects.toThrow();
    for (const id of [0, -1, 1.5, Number.NaN])
      expect(() => organizationRecords(at.platform.records, id)).toThrow(RangeError);
  });

  it("separate transaction tokens by organization", async () => {
    const token = { token: "same" };
    await at.org.records.transact([{ kind: "add", key, amounts: { n: 1 } }], token);
    await at.org.records.transact([{ kind: "add", key, amounts: { n: 1 } }], token);
    await at.other.records.transact([{ kind: "add", key, amounts: { n: 1 } }], token);
    expect((await at.org.records.get(key))?.value.n).toBe(1);
    expect((await at.other.records.get(key))?.value.n).toBe(1);
  });

  it("write due work to system partitions, keyed by the organization", async () => {
    await at.org.records.transact([{ kind: "due-put", id: "job/1", value: { v: 1 } }]);
    expect(await at.org.records.due("job/1")).toBeDefined();
    expect(await at.other.records.due("job/1")).toBeUndefined();
    await expect(at.other.records.transact([{ kind: "due-check", id: "job/1" }])).rejects.toThrow();
    await at.org.records.transact([{ kind: "due-check", id: "job/1" }]);
    await at.org.records.transact([{ kind: "due-delete", id: "job/1", condition: { ifPresent: true } }]);
    expect(await at.org.records.due("job/1")).toBeUndefined();
  });
});

describe("system records", () => {
  it("refuse every partition of an organization", async () => {
    expect(() => at.system.get({ partition: "org/1/things", sort: "a" })).toThrow();
    expect(() => at.system.query({ partition: "org/1/things" })).toThrow();
    expect(() => at.system.transact([{ kind: "delete", key: { partition: "org/1/things", sort: "a" } }])).toThrow();
    await at.system.put({ partition: "sys/x", sort: "a" }, { v: 1 });
    expect((await at.system.get({ partition: "sys/x", sort: "a" }))?.version).toBe(1);
  });
});

describe("blobs bound to an organization", () => {
  it("read and write only the organization's", async () => {
    await at.org.blobs.put("jobs/a", Buffer.from("one"));
    expect(await at.other.blobs.get("jobs/a")).toBeUndefined();
    expect((await at.org.blobs.list("jobs/")).blobs.map((blob) => blob.key)).toEqual(["jobs/a"]);
    expect((await at.other.blobs.list("")).blobs).toEqual([]);
    await expect(at.other.blobs.get("../1/jobs/a")).rejects.toThrow();
  });
});
