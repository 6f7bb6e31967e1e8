/** Saved configurations: concurrent calls, and limits. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../../functions/ports/errors.ts";
import {
  commandKey,
  entryKey,
  isConfigurationName,
} from "../../../../functions/service/configurations/configuration-records.ts";
import {
  listConfigurations,
  listRevisions,
  loadConfiguration,
  MAX_COMMAND_BYTES,
  MAX_CONFIGURATIONS,
  MAX_REVISIONS,
  removeConfiguration,
  resolveConfiguration,
  restoreRevision,
  saveConfiguration,
} from "../../../../functions/service/configurations/configurations.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

let at: TestPlatform;
beforeEach(() => {
  at = testPlatform();
});
afterEach(() => at.close());

const save = (name: string, prompt: string, overwrite = false) =>
  saveConfiguration(at.org, name, { prompt }, { savedBy: "key", as: overwrite ? "any" : "new" });
const SAVED = { savedBy: "key", as: "any" } as const;
const told = (outcomes: PromiseSettledResult<unknown>[]): string[] =>
  outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason.message] : []));

describe("concurrent calls", () => {
  it("save one configuration of a name", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => save("one", String(index))));
    expect(told(outcomes)).toEqual(Array(7).fill("Configuration name already exists"));
    const [entry, ...more] = await listConfigurations(at.org);
    expect(more).toEqual([]);
    const made = outcomes.findIndex(({ status }) => status === "fulfilled");
    expect(outcomes[made]).toMatchObject({ value: entry });
    expect(await loadConfiguration(at.org, "one")).toEqual({ prompt: String(made) });
  });

  it("overwrite a configuration as a whole, and keep its id", async () => {
    const { id, createdAt, updatedAt } = await save("one", "first");
    at.pass(1);
    const entries = await Promise.all([save("one", "a", true), save("one", "b", true), save("one", "c", true)]);
    for (const entry of entries) expect(entry).toMatchObject({ id, createdAt });
    const [entry] = await listConfigurations(at.org);
    expect(Date.parse(entry?.updatedAt ?? "")).toBeGreaterThan(Date.parse(updatedAt));
    expect(["a", "b", "c"]).toContain((await loadConfiguration(at.org, "one")).prompt);
  });

  it("delete a configuration once", async () => {
    await save("one", "first");
    const outcomes = await Promise.allSettled([removeConfiguration(at.org, "one"), removeConfiguration(at.org, "one")]);
    expect(told(outcomes)).toEqual(['There is no configuration "one"']);
    await expect(loadConfiguration(at.org, "one")).rejects.toThrow("There is no configuration");
    expect(await listConfigurations(at.org)).toEqual([]);
    // A new configuration of the same name gets a new id.
    expect((await save("one", "again")).id).toBeGreaterThan(1);
  });
});

it("leave the old configuration when a save fails between its writes", async () => {
  await save("one", "first");
  const records = {
    ...at.org.records,
    transact: () => Promise.reject(new AppError("ServiceUnavailable", "busy")),
  };
  const command = { prompt: "second" };
  await expect(saveConfiguration({ ...at.org, records }, "one", command, SAVED)).rejects.toThrow("busy");
  expect(await loadConfiguration(at.org, "one")).toEqual({ prompt: "first" });
});

describe("saveConfiguration", () => {
  it("refuses a command larger than a record, naming the limit in bytes", async () => {
    const rest = JSON.stringify({ prompt: "" }).length;
    await save("full", "x".repeat(MAX_COMMAND_BYTES - rest));
    await expect(save("over", "x".repeat(MAX_COMMAND_BYTES - rest + 1))).rejects.toMatchObject({
      kind: "PayloadTooLarge",
    });
    // The longest name beside the largest command, all characters of four bytes.
    await save("😀".repeat(128), "é".repeat((MAX_COMMAND_BYTES - rest) / 2));
  });

  it("refuses configurations beyond the limit, but overwrites existing ones", async () => {
    for (let index = 0; index < MAX_CONFIGURATIONS; index += 1) await save(`n${index}`, "x");
    await expect(save("more", "x")).rejects.toThrow(/at most 500 configurations/);
    await save("n7", "y", true);
    await removeConfiguration(at.org, "n8");
    await save("more", "x");
    expect(await listConfigurations(at.org)).toHaveLength(MAX_CONFIGURATIONS);
  });
});

it("takes names that clients can put into a path unescaped", () => {
  for (const name of ["a", "Rechnungen 2026 (neu)", "日本 ☃ 😀", "a.b", "...", "a+b&c=d", "😀".repeat(128)]) {
    expect(isConfigurationName(name), name).toBe(true);
  }
  const bad = [
    "",
    " ",
    ".",
    "..",
    " a",
    "a ",
    "a/b",
    "a\\b",
    "a?b",
    "a#b",
    "a%20b",
    "a\nb",
    "a\u0085b",
    "x".repeat(129),
  ];
  for (const name of bad) expect(isConfigurationName(name), JSON.stringify(name)).toBe(false);
});

describe("revisions", () => {
  it("hold every save, with its command, time and key", async () => {
    await save("one", "first");
    at.pass(1);
    await saveConfiguration(at.org, "one", { prompt: "second" }, { savedBy: "other", as: "any" });
    const all = await listRevisions(at.org, "one");
    expect(all).toMatchObject([
      { revision: 2, savedBy: "other" },
      { revision: 1, savedBy: "key" },
    ]);
    expect(Date.parse(all[0]?.createdAt ?? "")).toBeGreaterThan(Date.parse(all[1]?.createdAt ?? ""));
    expect(await loadConfiguration(at.org, "one", 1)).toEqual({ prompt: "first" });
    expect(await loadConfiguration(at.org, "one", 2)).toEqual({ prompt: "second" });
    await expect(loadConfiguration(at.org, "one", 3)).rejects.toThrow(
      'Configuration "one" has no revision 3; its newest is 2',
    );
  });

  it("are numbered without gaps by concurrent saves, each with its own command", async () => {
    await save("one", "0");
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, (_, index) => save("one", `p${index}`, true)));
    const saved = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(saved.length).toBeGreaterThan(0);
    const all = await listRevisions(at.org, "one");
    expect(all.map(({ revision }) => revision)).toEqual(
      Array.from({ length: saved.length + 1 }, (_, index) => saved.length + 1 - index),
    );
    for (const [index, one] of outcomes.entries()) {
      if (one.status === "rejected") continue;
      expect(await loadConfiguration(at.org, "one", one.value.revision)).toEqual({ prompt: `p${index}` });
    }
  });

  it("are found by name and number, and the newest by name", async () => {
    await save("one", "first");
    await save("one", "second", true);
    expect(await resolveConfiguration(at.org, "one")).toEqual({
      command: { prompt: "second" },
      use: { name: "one", revision: 2 },
    });
    expect(await resolveConfiguration(at.org, "one@1")).toEqual({
      command: { prompt: "first" },
      use: { name: "one", revision: 1 },
    });
    await expect(resolveConfiguration(at.org, "one@9")).rejects.toThrow("has no revision 9");
    await expect(resolveConfiguration(at.org, "two@1")).rejects.toThrow('There is no configuration "two"');
  });

  it("are restored as the newest", async () => {
    await save("one", "first");
    await save("one", "second", true);
    const pin = { name: "one", revision: 1 };
    expect(await restoreRevision(at.org, pin, "other")).toMatchObject({ revision: 3, savedBy: "other" });
    expect(await loadConfiguration(at.org, "one")).toEqual({ prompt: "first" });
    await expect(restoreRevision(at.org, { name: "two", revision: 1 }, "key")).rejects.toThrow("no configuration");
  });

  it("are at most a page of the list", async () => {
    const entry = await save("one", "first");
    const full = { ...entry, revision: MAX_REVISIONS };
    await at.org.records.transact([{ kind: "put", key: entryKey("one"), value: full }]);
    await expect(save("one", "more", true)).rejects.toThrow(`at most ${MAX_REVISIONS} revisions`);
  });

  it("are deleted with their configuration, however many", async () => {
    for (let revision = 1; revision <= 120; revision += 1) await save("one", String(revision), revision > 1);
    const { id } = (await listConfigurations(at.org))[0] ?? { id: 0 };
    await removeConfiguration(at.org, "one");
    for (const partition of [`configuration-revisions/${id}`, `configuration-revision-commands/${id}`]) {
      expect((await at.org.records.query({ partition, limit: 1000 })).items, partition).toEqual([]);
    }
    await expect(listRevisions(at.org, "one")).rejects.toThrow("There is no configuration");
  });
});

describe("a configuration of an earlier release", () => {
  const at0 = "2026-01-31T10:00:00.000Z";
  const keep = (name: string) =>
    at.org.records.transact([
      { kind: "put", key: entryKey(name), value: { v: 1, id: 7, name, createdAt: at0, updatedAt: at0 } },
      { kind: "put", key: commandKey(name), value: { v: 1, command: { prompt: "old", password: "kept by mistake" } } },
    ]);

  it("has one revision, which the next save keeps", async () => {
    await keep("one");
    expect(await listRevisions(at.org, "one")).toMatchObject([{ revision: 1, createdAt: at0, savedBy: null }]);
    expect((await resolveConfiguration(at.org, "one@1")).command).toEqual({ prompt: "old" });
    await save("one", "new", true);
    expect(await listRevisions(at.org, "one")).toMatchObject([
      { revision: 2 },
      { revision: 1, createdAt: at0, savedBy: null },
    ]);
    expect(await loadConfiguration(at.org, "one", 1)).toEqual({ prompt: "old" });
  });

  it("is used by its name, also where that looks like a pinned revision", async () => {
    await keep("one@2");
    expect((await resolveConfiguration(at.org, "one@2")).use).toEqual({ name: "one@2", revision: 1 });
    expect(isConfigurationName("one@2")).toBe(false);
    expect(isConfigurationName("one@2 b")).toBe(true);
  });
});
