/** Faults of requests are told up to a number, so that no small request has a large answer. */
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { check, parseMember } from "../../../../functions/api/http/validate.ts";
import { UploadCommand } from "../../../../functions/api/schemas/commands.ts";
import { withoutNulls } from "../../../../functions/api/schemas/common.ts";
import type { AppError } from "../../../../functions/ports/errors.ts";

function refusal(given: unknown): AppError {
  try {
    check(UploadCommand, given, "body");
  } catch (error) {
    return error as AppError;
  }
  throw new Error("It was taken");
}

describe("check", () => {
  it("names every fault of a few", () => {
    expect(refusal({ pageRange: [0, 1, "2", "two"], barcodes: 1 }).errors?.map(({ path }) => path)).toEqual([
      "/pageRange/0",
      "/pageRange/3",
      "/barcodes",
    ]);
  });

  it("names the first hundred of many, and says so", () => {
    const { errors = [], message } = refusal({ pageRange: Array(9_000).fill("x") });
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)).toEqual({ path: "", message: "may have more faults; these are the first" });
    expect(message.length).toBeLessThan(10_000);
  });
});

describe("parseMember", () => {
  it.each([`{"a":[{"b":${"9".repeat(400)}}]}`, "[-1e999]", '{"a":1E+400}'])(
    "refuses a number without a value: %s",
    (text) => {
      expect(() => parseMember(z.unknown(), text, "metadata")).toThrow(
        /^The part 'metadata' holds a number that is too large/,
      );
    },
  );

  it.each(["[1e308]", "[1e-999]", `["${"9".repeat(400)}"]`, '{"1e999":0}'])("takes %s", (text) => {
    expect(parseMember(z.unknown(), text, "metadata")).toEqual(JSON.parse(text));
  });

  it("refuses more than 1,000 levels", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(() => parseMember(z.unknown(), nested(1_001), "metadata")).toThrow(/nested more than 1000 levels/);
    expect(parseMember(z.unknown(), nested(1_000), "metadata")).toBeInstanceOf(Array);
  });
});

describe("withoutNulls", () => {
  it("removes null members at any depth, but for those inside schemas and pipelines", () => {
    const given = { a: null, b: [{ c: null, d: 1 }, null], schema: { enum: [null], x: null }, e: { f: 2 } };
    expect(withoutNulls(given)).toEqual({ b: [{ d: 1 }, null], schema: { enum: [null], x: null }, e: { f: 2 } });
  });

  it("keeps the order of members around those that it removes", () => {
    const given = { b: 1, a: [null], d: null, c: { x: null } };
    expect(JSON.stringify(withoutNulls(given))).toBe('{"b":1,"a":[null],"c":{}}');
  });

  it("visits each member once, at any depth", () => {
    const deep = `${'{"x":null,"a":'.repeat(500)}0${"}".repeat(500)}`;
    expect(JSON.stringify(withoutNulls(JSON.parse(deep)))).toBe(`${'{"a":'.repeat(500)}0${"}".repeat(500)}`);
  });

  it("returns what holds none as it is", () => {
    const given = { a: [{ b: 1 }], schema: { x: null } };
    expect(withoutNulls(given)).toBe(given);
  });
});
