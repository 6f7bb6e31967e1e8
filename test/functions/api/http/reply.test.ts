/** Errors as HTTP. */
import { expect, it } from "vitest";
import { errorAnswer } from "../../../../functions/api/http/reply.ts";
import { ConditionFailed, MethodNotAllowed } from "../../../../functions/ports/errors.ts";
import type { HttpEvent } from "../../../../functions/ports/http.ts";

const event = { rawPath: "/x" } as HttpEvent;
const answerTo = (error: unknown) => {
  const { statusCode, headers, body } = errorAnswer(error, event, 0);
  return { status: statusCode, headers, body: JSON.parse(body) };
};

it("a condition of the store that nobody handled is a concurrent modification, without the store's words", () => {
  const { status, body } = answerTo(new ConditionFailed("The version of org/1/job is 7"));
  expect([status, body.error]).toEqual([409, "Conflict"]);
  expect(body.message).toMatch(/^Concurrent modification: the resource was changed/);
});

it("a method that is not allowed names those that are", () => {
  const { status, headers, body } = answerTo(new MethodNotAllowed("/x has no PUT", ["GET", "HEAD"]));
  expect([status, headers.Allow, body.error]).toEqual([405, "GET, HEAD", "MethodNotAllowed"]);
});
