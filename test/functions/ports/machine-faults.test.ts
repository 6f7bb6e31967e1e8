import { describe, expect, it } from "vitest";
import { translateFault } from "../../../functions/adapters/local/records-faults.ts";
import { errorAnswer } from "../../../functions/api/http/reply.ts";
import { AppError, BadRequest, ConditionFailed, JobFailure } from "../../../functions/ports/errors.ts";
import type { HttpEvent } from "../../../functions/ports/http.ts";
import { isTransient, machineFault } from "../../../functions/ports/machine-faults.ts";
import { describeError } from "../../../functions/ports/observer.ts";
import { RetryableStepError, stepErrorOf } from "../../../functions/service/runs/step-errors.ts";
import { systemError } from "../../support/faulty-ports.ts";

const event = { rawPath: "/document/upload" } as HttpEvent;
const sqliteError = (errcode: number): Error =>
  Object.assign(new Error("database or disk is full: INSERT secret"), { code: "ERR_SQLITE_ERROR", errcode });

describe("a fault of the machine", () => {
  it.each([
    ["ENOSPC", 507, /no room left on its disk/, "60"],
    ["EDQUOT", 507, /no room left on its disk/, "60"],
    ["EMFILE", 503, /no file handle free/, "5"],
    ["ENFILE", 503, /no file handle free/, "5"],
    ["ENOMEM", 503, /no memory free/, "5"],
    ["EROFS", 503, /cannot write to its disk/, "60"],
    ["EIO", 503, /reports an error/, "60"],
  ])("%s is answered %i with a sentence, and nothing of the error itself", (code, status, sentence, retryAfter) => {
    const internal = new AppError("InternalServerError", "The extraction failed", { cause: systemError(code) });
    for (const error of [systemError(code), new Error("outer", { cause: systemError(code) }), internal]) {
      const answer = errorAnswer(error, event, 0);
      expect(answer.statusCode).toBe(status);
      expect(JSON.parse(answer.body)).toMatchObject({ message: expect.stringMatching(sentence), status });
      expect(answer.body).not.toMatch(/secret|errno|syscall/);
      expect(answer.headers["Retry-After"]).toBe(retryAfter);
      expect(isTransient(error)).toBe(true);
      expect(stepErrorOf(error)).toBeInstanceOf(RetryableStepError);
    }
  });

  it.each([
    [13, "ENOSPC", 507],
    [4874, "ENOSPC", 507],
    [14, "EMFILE", 503],
    [778, "EIO", 503],
    [8, "EROFS", 503],
    [11, "SQLITE_CORRUPT", 500],
    [779, "SQLITE_CORRUPT", 500],
  ])("SQLite's result %i is %s", (result, code, status) => {
    const fault = translateFault(sqliteError(result));
    expect(describeError(fault)).toMatchObject({ error: "MachineError", code });
    expect(errorAnswer(fault, event, 0).statusCode).toBe(status);
  });

  it("is no error that the service throws itself, and no other error of a library", () => {
    const own = new BadRequest("Send a number", { cause: systemError("ENOSPC") });
    expect(machineFault(own)).toBeUndefined();
    expect(errorAnswer(own, event, 0).statusCode).toBe(400);
    expect(translateFault(sqliteError(19))).toMatchObject({ errcode: 19 });
    for (const error of [systemError("ENOENT"), systemError("toString"), new Error("plain"), "text"]) {
      expect(machineFault(error)).toBeUndefined();
      expect(isTransient(error)).toBe(false);
      expect(errorAnswer(error, event, 0).statusCode).toBe(500);
    }
  });
});

describe("describeError", () => {
  it("names the code of an error or of its cause, never the message", () => {
    expect(describeError(systemError("EMFILE"))).toMatchObject({ error: "Error", code: "EMFILE" });
    const wrapped = new JobFailure("Processing failed", { cause: systemError("ENOSPC") });
    expect(describeError(wrapped)).toMatchObject({ error: "JobFailure", code: "ENOSPC" });
    expect(JSON.stringify(describeError(systemError("EMFILE")))).not.toContain("secret");
    expect(describeError(Object.assign(new Error("x"), { code: "not a code" }))).not.toHaveProperty("code");
  });
});

describe("stepErrorOf", () => {
  it("makes retryable errors transient failures, and leaves final ones as they are", () => {
    expect(stepErrorOf(new ConditionFailed("Changed by others"))).toBeInstanceOf(RetryableStepError);
    expect(stepErrorOf(new AppError("ServiceUnavailable", "Busy", {}, true))).toMatchObject({ message: "Busy" });
    const again = new RetryableStepError("Busy", undefined);
    expect(stepErrorOf(again)).toBe(again);
    for (const final of [new JobFailure("Processing failed"), new TypeError("x")])
      expect(stepErrorOf(final)).toBe(final);
  });
});
