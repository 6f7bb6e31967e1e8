/** Providers and bindings where writers meet, and their limits. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConcurrentModification, Conflict } from "../../../../functions/ports/errors.ts";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";
import { bindKey, listBindings } from "../../../../functions/service/providers/bindings.ts";
import {
  createProvider,
  deleteProvider,
  listProviders,
  MAX_PROVIDERS,
  openSecret,
  updateProvider,
} from "../../../../functions/service/providers/providers.ts";
import { boundProviders, withProviders } from "../../../../functions/service/providers/run-providers.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

let at: TestPlatform;
beforeAll(() => {
  at = testPlatform();
});
afterAll(() => at.close());

const LLM = { name: "ours", modelType: "CUSTOM", apiUrl: "https://models.invalid/v1", deploymentName: "m" };

/** The organization, with work between a record's reading and the write that depends on it. */
function between(org: Organization, work: () => Promise<unknown>): Organization {
  const { records } = org;
  const before = async <T>(write: () => Promise<T>): Promise<T> => {
    await work();
    return write();
  };
  const meeting: Organization["records"] = {
    ...records,
    get: (...given) => records.get(...given),
    query: (...given) => records.query(...given),
    add: (...given) => records.add(...given),
    delete: (...given) => records.delete(...given),
    due: (...given) => records.due(...given),
    put: (...given) => before(() => records.put(...given)),
    transact: (...given) => before(() => records.transact(...given)),
  };
  return { ...org, records: meeting };
}

describe("providers", () => {
  it("refuse the later of two changes that meet: of settings, of a deletion", async () => {
    const { id } = await createProvider(at.org, "llm", LLM);
    const rename = () => updateProvider(at.org, "llm", id, { name: "theirs" });
    const late = between(at.org, rename);
    await expect(updateProvider(late, "llm", id, { name: "mine" })).rejects.toThrow(ConcurrentModification);
    await expect(deleteProvider(late, "llm", id)).rejects.toThrow(ConcurrentModification);
    expect((await updateProvider(at.org, "llm", id, { description: "a note" })).name).toBe("theirs");
  });

  it("are made once by a request that is repeated, as after a crash, and by two tries at a time", async () => {
    const request = "01a20bb6-5215-7698-ba63-55521eebbf7b";
    const make = (org: Organization) => createProvider(org, "llm", { ...LLM, apiKey: "a-key" }, request);
    const made = await make(at.org);
    expect(await make(at.org)).toEqual(made);
    const late = "01a20bb6-5215-7698-ba63-55521eebbf7c";
    let first: { id: number } | undefined;
    const meeting = between(at.org, async () => {
      first ??= await createProvider(at.org, "llm", LLM, late);
    });
    expect(await createProvider(meeting, "llm", LLM, late)).toEqual(first);
    expect((await listProviders(at.org, "llm")).map(({ id }) => id).filter((id) => id >= made.id)).toEqual([
      made.id,
      first?.id,
    ]);
  });

  it("say that a key sealed under another key of the service cannot be opened", async () => {
    const made = await createProvider(at.org, "llm", { ...LLM, apiKey: "a-key" });
    expect(await openSecret(at.org, "llm", made)).toBe("a-key");
    // The seal is for this provider of this organization.
    for (const [org, id] of [
      [at.org, made.id + 1],
      [at.other, made.id],
    ] as const) {
      await expect(openSecret(org, "llm", { ...made, id })).rejects.toThrow(
        `Processing failed: The key of LLM provider ${id} can no longer be opened, because the service's key has changed`,
      );
    }
  });

  it("has a limit of their number, which names itself", async () => {
    const org = at.other;
    await Promise.all(Array.from({ length: MAX_PROVIDERS }, () => createProvider(org, "ocr", { name: "n" })));
    await expect(createProvider(org, "ocr", { name: "n" })).rejects.toThrow(
      new Conflict(`Your organization has ${MAX_PROVIDERS} providers of this kind, the most; delete one first`),
    );
  });
});

describe("bindings", () => {
  it("take changes that meet, and give up after some", async () => {
    const { id } = await createProvider(at.org, "llm", LLM);
    const all = ["DEFAULT", "NANO", "MINI", "HIGH"].map((key) => bindKey(at.org, "llm", key, id));
    await Promise.all(all);
    expect((await listBindings(at.org, "llm")).map(({ providerId }) => providerId)).toEqual([id, id, id, id]);
    const busy = between(at.org, () => bindKey(at.org, "llm", "NANO", id));
    await expect(bindKey(busy, "llm", "MINI", undefined)).rejects.toThrow(ConcurrentModification);
  });

  it("leave out inactive and deleted providers, and cost a run without any one read", async () => {
    const org = at.org;
    const { id } = await createProvider(org, "llm", LLM);
    const other = await createProvider(org, "llm", LLM);
    for (const key of ["NANO", "MINI"]) await bindKey(org, "llm", key, id);
    for (const key of ["DEFAULT", "HIGH"]) await bindKey(org, "llm", key, other.id);
    expect(await boundProviders(org)).toEqual({ llm: { NANO: id, MINI: id, DEFAULT: other.id, HIGH: other.id } });
    await updateProvider(org, "llm", id, { status: "INACTIVE" });
    await deleteProvider(org, "llm", other.id);
    expect(await boundProviders(org)).toBeUndefined();
    const reads: unknown[] = [];
    const get = (key: never) => {
      reads.push(key);
      return at.other.records.get(key);
    };
    const counting = {
      ...at.other,
      records: { ...at.other.records, get },
    } as Organization;
    const command: { mode: string; providers?: never } = { mode: "SIMPLE" };
    expect(await withProviders(counting, command)).toBe(command);
    expect(reads).toHaveLength(1);
  });
});
