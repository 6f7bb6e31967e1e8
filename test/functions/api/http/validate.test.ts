/** Faults of requests are told up to a number, so that no small request has a large answer. */
import { describe, expect, it } from "vitest";
import { check } from "../../../../functions/api/http/validate.ts";
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

describe("withoutNulls", () => {
  it("removes null members at any depth, but for those inside schemas and pipelines", () => {
    const given = { a: null, b: [{ c: null, d: 1 }, null], schema: { enum: [null], x: null }, e: { f: 2 } };
    expect(withoutNulls(given)).toEqual({ b: [{ d: 1 }, null], schema: { enum: [null], x: null }, e: { f: 2 } });
  });

  it("returns what holds none as it is", () => {
    const given = { a: [{ b: 1 }], schema: { x: null } };
    expect(withoutNulls(given)).toBe(given);
  });
});
