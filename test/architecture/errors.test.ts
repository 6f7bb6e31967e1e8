/** Errors are matched by name, by state machines too; a bundler renames classes unless they declare their name. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { AppError } from "../../functions/ports/errors.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const CLASS = /^(?:export )?(?:abstract )?class (\w+) extends (\w+)/gm;

/** Classes with their base class and file, in all code of the functions. */
const classes = ["functions", "bin", "statemachines"]
  .flatMap((room) =>
    readdirSync(resolve(ROOT, room), { recursive: true }).map((path) => resolve(ROOT, room, `${path}`)),
  )
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(CLASS)].map(([, name = "", parent = ""]) => ({ name, parent, file })),
  );

/** The family: including subclasses of subclasses. */
function family(parent: string): typeof classes {
  const children = classes.filter((one) => one.parent === parent);
  return children.flatMap((one) => [one, ...family(one.name)]);
}

const members = [...classes.filter(({ name }) => name === "AppError"), ...family("AppError")];

describe("errors of the service", () => {
  it("are the classes listed in this test", () => {
    expect(members.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["AppError", "BadRequest", "JobFailure", "RetryableStepError", "OutboundFailure"]),
    );
    expect(members.length).toBeGreaterThan(15);
  });

  it.each(members)("declare their own name: $name", async ({ name, file }) => {
    const one = (await import(file))[name];
    expect(one, "exported, so that this test sees it").toBeTypeOf("function");
    expect(one === AppError || one.prototype instanceof AppError).toBe(true);
    // A class's own `name` is the runtime's and read-only; a member is ordinary.
    expect(Object.getOwnPropertyDescriptor(one, "name")).toMatchObject({ value: name, writable: true });
    expect(one === AppError ? new one(500, "Kind", "It failed").name : new one("It failed").name).toBe(name);
  });
});
