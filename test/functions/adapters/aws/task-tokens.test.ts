/** Answers to waiting Tasks against exchanges written from Step Functions' API reference (AWS JSON protocol). */
import { SFNClient } from "@aws-sdk/client-sfn";
import { describe, expect, it } from "vitest";
import { openTaskTokens } from "../../../../functions/adapters/aws/task-tokens.ts";
import { type AppError, BadRequest, PayloadTooLarge } from "../../../../functions/ports/errors.ts";
import { answer, hurriedClock, refusal, script, type Turn, talkingTo, turn } from "./json-exchange.ts";

const TOKEN = "AQCEAAAAKgAAAAMAAAAAAAAAAT";

function scripted(...turns: Turn[]) {
  const { reply, done } = script(turns);
  const clock = hurriedClock();
  const tokens = openTaskTokens({ client: new SFNClient(talkingTo(reply)), clock, random: () => 0.5 });
  return { tokens, done, clock };
}

const success = (output: string, given = answer({})) => turn("SendTaskSuccess", { taskToken: TOKEN, output }, given);
const failure = (error: string, cause: string, given = answer({})) =>
  turn("SendTaskFailure", { taskToken: TOKEN, error, cause }, given);
const heartbeat = (given = answer({})) => turn("SendTaskHeartbeat", { taskToken: TOKEN }, given);

describe("openTaskTokens", () => {
  it("answers a token with a result, a failure, a heartbeat", async () => {
    const { tokens, done } = scripted(
      success('{"a":[1,null]}'),
      success("null"),
      failure("Refused", "why"),
      heartbeat(),
    );
    expect(await tokens.succeed(TOKEN, { a: [1, null] })).toBe(true);
    expect(await tokens.succeed(TOKEN, null)).toBe(true);
    expect(await tokens.fail(TOKEN, "Refused", "why")).toBe(true);
    expect(await tokens.heartbeat(TOKEN)).toBe(true);
    done();
  });

  it.each(["TaskTimedOut", "TaskDoesNotExist"])("accepts a token that nobody waits for any more: %s", async (name) => {
    const { tokens, done, clock } = scripted(
      success("1", refusal(name)),
      failure("E", "c", refusal(name)),
      heartbeat(refusal(name)),
    );
    expect(await tokens.succeed(TOKEN, 1)).toBe(false);
    expect(await tokens.fail(TOKEN, "E", "c")).toBe(false);
    expect(await tokens.heartbeat(TOKEN)).toBe(false);
    expect(clock.slept).toEqual([]);
    done();
  });

  it("retries after growing waits while the service is busy", async () => {
    const { tokens, done, clock } = scripted(
      success("1", refusal("ThrottlingException")),
      success("1", refusal("KmsThrottlingException")),
      success("1", { broken: "ECONNRESET" }),
      success("1", refusal("InternalServerError", "", 500)),
      success("1"),
    );
    expect(await tokens.succeed(TOKEN, 1)).toBe(true);
    expect(clock.slept).toEqual([150, 300, 600, 1200]);
    done();
  });

  it("fails with a retryable error when the service stays busy", async () => {
    const { tokens, done } = scripted(...Array.from({ length: 6 }, () => success("1", refusal("ThrottlingException"))));
    await expect(tokens.succeed(TOKEN, 1)).rejects.toMatchObject({ kind: "ServiceUnavailable", retryable: true });
    done();
  });

  it("reports an invalid or forbidden token as a permanent error without its text", async () => {
    for (const name of ["InvalidToken", "AccessDeniedException"]) {
      const { tokens } = scripted(success("1", refusal(name, "arn:aws:iam::123456789012:role/x is not authorized")));
      const error = await tokens.succeed(TOKEN, 1).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ kind: "InternalServerError", retryable: false });
      expect((error as AppError).message).not.toMatch(/arn:/);
    }
    const { tokens } = scripted(success("1", refusal("InvalidOutput")));
    await expect(tokens.succeed(TOKEN, 1)).rejects.toThrow(BadRequest);
  });

  it("limits results, names and causes as the service does", async () => {
    const most = "x".repeat(262_142);
    const long = failure("E".repeat(256), "ü".repeat(16_384));
    const { tokens, done } = scripted(success(JSON.stringify(most)), long);
    await expect(tokens.succeed(TOKEN, `${most}x`)).rejects.toThrow(PayloadTooLarge);
    expect(await tokens.succeed(TOKEN, most)).toBe(true);
    expect(await tokens.fail(TOKEN, "E".repeat(300), "ü".repeat(20_000))).toBe(true);
    done();
  });
});
