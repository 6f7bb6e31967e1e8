import { describe, expect, it } from "vitest";
import { readFillRequest } from "../../../../functions/engine/templates/read-fill-request.ts";
import { BadRequest } from "../../../../functions/ports/errors.ts";

const read = (body: unknown) => readFillRequest(new TextEncoder().encode(JSON.stringify(body)));

describe("readFillRequest", () => {
  it("reads values, and each picture that they name once", () => {
    const fields = {
      a: 1,
      logo: { _ref: "x" },
      rows: [{ photo: { _ref: "y", width_mm: 3 } }, { photo: { _ref: "x" } }],
    };
    const request = read({ fields, other: true });
    expect(request).toEqual({ fields, images: expect.arrayContaining(["x", "y"]) });
    expect("images" in request && request.images).toHaveLength(2);
  });

  it("reads the job that the values come from", () => {
    expect(read({ fromJob: "0b0f" })).toEqual({ fromJob: "0b0f" });
  });

  it.each([
    ["no object", [1]],
    ["no fields", {}],
    ["fields that are no object", { fields: "a" }],
    ["a job that is no text", { fromJob: 1 }],
    ["both", { fields: {}, fromJob: "0b0f" }],
  ])("refuses %s", (_, body) => {
    expect(() => read(body)).toThrow(BadRequest);
  });

  it("refuses bytes that are no JSON in UTF-8", () => {
    expect(() => readFillRequest(new TextEncoder().encode("{fields"))).toThrow("no JSON");
    expect(() => readFillRequest(new Uint8Array([0x22, 0xff, 0x22]))).toThrow("no JSON");
  });

  it("reads a body that nests deeper than a call stack", () => {
    const depth = 5_000;
    const body = `{"fields":{"a":${"[".repeat(depth)}{"_ref":"x"}${"]".repeat(depth)}}}`;
    expect(readFillRequest(new TextEncoder().encode(body))).toMatchObject({ images: ["x"] });
  });
});
