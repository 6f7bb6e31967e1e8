/**
 * Written-down exchanges with a service that speaks AWS's JSON protocol (X-Amz-Target and a JSON body): the SDK's own
 * client writes the requests and reads the answers, as the protocol's documents have them; nothing leaves the process.
 */
import { expect } from "vitest";

export interface Request {
  /** `AWSStepFunctions.StartExecution` → `StartExecution`. */
  operation: string;
  body: Record<string, unknown>;
}

/** An answer's body, or an error by its shape's name. */
export type Answer =
  | { body: unknown }
  | { error: string; message?: string; status?: number }
  /** The connection breaks. */
  | { broken: string };

export const answer = (body: unknown): Answer => ({ body });
export const refusal = (error: string, message = "", status = 400): Answer => ({ error, message, status });

interface HttpRequest {
  headers: Record<string, string>;
  body?: unknown;
}

const encode = (body: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

function textOf(body: unknown): string {
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  return typeof body === "string" ? body : "{}";
}

function respond(given: Answer) {
  if ("broken" in given) throw Object.assign(new Error("The connection broke"), { code: given.broken });
  const headers = { "content-type": "application/x-amz-json-1.0", "x-amzn-requestid": "exchange" };
  if ("body" in given) return { response: { statusCode: 200, headers, body: encode(given.body) } };
  // As the services write it: the model's namespace before the name.
  const body = encode({ __type: `com.amazonaws.service#${given.error}`, message: given.message ?? "" });
  return { response: { statusCode: given.status ?? 400, headers, body } };
}

/** Settings of an SDK client whose requests `reply` answers. One attempt per call: the driver's are counted. */
export function talkingTo(reply: (request: Request) => Answer | Promise<Answer>) {
  return {
    region: "eu-central-1",
    credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" },
    maxAttempts: 1,
    requestHandler: {
      async handle({ headers, body }: HttpRequest) {
        const operation = (headers["x-amz-target"] ?? "").split(".")[1] ?? "";
        return respond(await reply({ operation, body: JSON.parse(textOf(body)) }));
      },
    },
  };
}

/** One request that must come next, and its answer. */
export interface Turn {
  operation: string;
  body: Record<string, unknown>;
  answer: Answer;
}

export const turn = (operation: string, body: Record<string, unknown>, given: Answer): Turn => ({
  operation,
  body,
  answer: given,
});

/** Answers the requests in the order of the turns. `done` is true when each expected request came, and no other. */
export function script(turns: Turn[]) {
  const requests: Request[] = [];
  const reply = (request: Request): Answer => {
    requests.push(request);
    return turns[requests.length - 1]?.answer ?? { error: "InternalServerError", status: 500 };
  };
  const done = () => expect(requests).toEqual(turns.map(({ operation, body }) => ({ operation, body })));
  return { reply, done };
}

/** A clock whose sleeps end at once, and are recorded in milliseconds. */
export function hurriedClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)) {
  let time = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => time,
    async sleep(milliseconds: number) {
      slept.push(milliseconds);
      time += milliseconds;
    },
  };
}
