import { describe, expect, it } from "vitest";
import { isUnavailable, toAppError } from "../../../../functions/adapters/aws/service-errors.ts";
import { AppError, ConditionFailed, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import { connectionReset } from "./exchanges.ts";

const answered = (httpStatusCode: number, name = "SomeError"): Error =>
  Object.assign(new Error("internal words"), { name, $metadata: { httpStatusCode } });
const coded = (code: string): Error => Object.assign(new Error("internal words"), { code });

const PASSING: Record<string, unknown> = {
  "a fault of the service": answered(500),
  "a service that is away": answered(503, "SlowDown"),
  "too many requests": answered(429),
  "throttling with status 400": answered(400, "ThrottlingException"),
  "too much in flight": answered(403, "OverLimit"),
  "a request that took too long to arrive": answered(400, "RequestTimeout"),
  "a connection that was reset": connectionReset(),
  "a name that does not resolve": coded("ENOTFOUND"),
  "a time-out of the SDK": Object.assign(new Error("slow"), { name: "TimeoutError" }),
  "an answer that broke off": Object.assign(coded("ECONNRESET"), { $metadata: { httpStatusCode: 200 } }),
};
const LASTING: Record<string, unknown> = {
  "no right": answered(403, "AccessDenied"),
  "no such thing": answered(404, "NoSuchBucket"),
  "a bad request": answered(400, "ValidationException"),
  "a code of Node.js for a defect": coded("ERR_INVALID_ARG_TYPE"),
  "no credentials": Object.assign(new Error("none"), { name: "CredentialsProviderError" }),
  "a plain error": new Error("internal words"),
  "no error at all": undefined,
};

describe("toAppError makes a transient error retryable", () => {
  for (const [what, error] of Object.entries(PASSING)) {
    it(what, () => {
      expect(isUnavailable(error)).toBe(true);
      const told = toAppError(error, "The file store");
      expect(told).toBeInstanceOf(ServiceUnavailable);
      expect(told).toMatchObject({ retryAfter: 5, cause: error });
      expect(told.message).toBe("The file store is not available at the moment; try again in 5 seconds.");
    });
  }
});

describe("toAppError makes a permanent error a plain 500", () => {
  for (const [what, error] of Object.entries(LASTING)) {
    it(what, () => {
      expect(isUnavailable(error)).toBe(false);
      const told = toAppError(error, "The file store");
      expect(told).toBeInstanceOf(AppError);
      expect(told).toMatchObject({ kind: "InternalServerError", retryable: false });
      expect(told.message).not.toContain("internal");
      expect(told.cause).toBe(error);
    });
  }
});

it("toAppError keeps an AppError", () => {
  const error = new ConditionFailed("A file is there already");
  expect(toAppError(error, "The file store")).toBe(error);
});
