import { describe, expect, it } from "vitest";
import {
  errorFromData,
  errorToData,
  parseWorkerMessage,
} from "../../../../../functions/adapters/local/pool/protocol.ts";
import { BadRequest, Conflict, UnprocessableEntity } from "../../../../../functions/ports/errors.ts";

/** An error as it arrives from a process. */
function crossed(error: Error): unknown {
  const message = parseWorkerMessage({ type: "failure", id: 1, error: structuredClone(errorToData(error)) });
  if (message?.type !== "failure" || message.error.type === "memory") throw new Error("It did not arrive");
  return errorFromData(message.error);
}

describe("an error of a task", () => {
  it("crosses with its kind, its sentence and the members that it names", () => {
    const errors = [{ path: "/fields/a", message: "must be a number" }];
    for (const error of [
      new BadRequest("No", { errors }),
      new UnprocessableEntity("No", { errors }),
      new Conflict("The PDF is signed"),
    ]) {
      const { kind, message } = error;
      const arrived = crossed(error);
      expect(arrived).toBeInstanceOf(error.constructor);
      expect(arrived).toMatchObject({ kind, message, errors: error.errors });
    }
  });

  it("names as many members as a message takes, each in as many characters", () => {
    const errors = Array.from({ length: 5_000 }, () => ({ path: "/a".repeat(5_000), message: "x".repeat(5_000) }));
    const arrived = crossed(new BadRequest("No", { errors })) as BadRequest;
    expect(arrived.errors).toHaveLength(1_000);
    expect(arrived.errors?.[0]).toEqual({ path: "/a".repeat(500), message: "x".repeat(1_000) });
  });

  it("is no message with members of another shape", () => {
    const error = { ...errorToData(new BadRequest("No")), errors: [{ path: 1, message: "x" }] };
    expect(parseWorkerMessage({ type: "failure", id: 1, error })).toBeUndefined();
  });
});
