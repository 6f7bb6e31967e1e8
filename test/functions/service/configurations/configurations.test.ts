/** Saved configurations under callers at the same time, and within their limits. */
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

describe("many at the same time", () => {
  it("make one configuration of a name", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => save("one", String(index))));
    expect(told(outcomes)).toEqual(Array(7).fill("Configuration name already exists"));
    const [entry, ...more] = await listConfigurations(at.org);
    expect(more).toEqual([]);
    const made = outcomes.findIndex(({ status }) => status === "fulfilled");
    expect(outcomes[made]).toMatchObject({ value: entry });
    expect(await loadConfiguration(at.org, "one")).toEqual({ prompt: String(made) });
  });

  it("overwrite each other whole, and the configuration stays what it is", async () => {
    const { id, createdAt, updatedAt } = await save("one", "first");
    at.pass(1);
    const entries = await Promise.all([save("one", "a", true), save("one", "b", true), save("one", "c", true)]);
    for (const entry of entries) expect(entry).toMatchObject({ id, createdAt });
    const [entry] = await listConfigurations(at.org);
    expect(Date.parse(entry?.updatedAt ?? "")).toBeGreaterThan(Date.parse(updatedAt));
    expect(["a", "b", "c"]).toContain((await loadConfiguration(at.org, "one")).prompt);
  });

  it("delete it once", async () => {
    await save("one", "first");
    const outcomes = await Promise.allSettled([removeConfiguration(at.org, "one"), removeConfiguration(at.org, "one")]);
    expect(told(outcomes)).toEqual(['There is no configuration "one"']);
    await expect(loadConfiguration(at.org, "one")).rejects.toThrow("There is no configuration");
    expect(await listConfigurations(at.org)).toEqual([]);
    // One of the same name is another one.
    expect((await save("one", "again")).id).toBeGreaterThan(1);
  });
});

it("what fails between two writes leaves what was there", async () => {
  await save("one", "first");
  const records = {
    ...at.org.records,
    transact: () => Promise.reject(new AppError("ServiceUnavailable", "busy")),
  };
  const command = { prompt: "second" };
  await expect(saveConfiguration({ ...at.org, records }, "one", command, { overwrite: true })).rejects.toThrow("busy");
  expect(await loadConfiguration(at.org, "one")).toEqual({ prompt: "first" });
});

describe("limits", () => {
  it("are those of a record, told in bytes", async () => {
    const rest = JSON.stringify({ prompt: "" }).length;
    await save("full", "x".repeat(MAX_COMMAND_BYTES - rest));
    await expect(save("over", "x".repeat(MAX_COMMAND_BYTES - rest + 1))).rejects.toMatchObject({
      kind: "PayloadTooLarge",
    });
    // The longest name beside the largest command, every character of it four bytes.
    await save("😀".repeat(128), "é".repeat((MAX_COMMAND_BYTES - rest) / 2));
  });

  it("are a number of configurations; those that there are can be overwritten", async () => {
    for (let index = 0; index < MAX_CONFIGURATIONS; index += 1) await save(`n${index}`, "x");
    await expect(save("more", "x")).rejects.toThrow(/at most 500 configurations/);
    await save("n7", "y", true);
    await removeConfiguration(at.org, "n8");
    await save("more", "x");
    expect(await listConfigurations(at.org)).toHaveLength(MAX_CONFIGURATIONS);
  });
});

it("names are what a client can put into a path as it is", () => {
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
