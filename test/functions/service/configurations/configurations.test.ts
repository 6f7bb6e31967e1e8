/** Saved configurations: concurrent calls, and limits. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../../functions/ports/errors.ts";
import {
  isConfigurationName,
  listConfigurations,
  loadConfiguration,
  MAX_COMMAND_BYTES,
  MAX_CONFIGURATIONS,
  removeConfiguration,
  saveConfiguration,
} from "../../../../functions/service/configurations/configurations.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

let at: TestPlatform;
beforeEach(() => {
  at = testPlatform();
});
afterEach(() => at.close());

const save = (name: string, prompt: string, overwrite = false) =>
  saveConfiguration(at.org, name, { prompt }, { overwrite });
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
  await expect(saveConfiguration({ ...at.org, records }, "one", command, { overwrite: true })).rejects.toThrow("busy");
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
