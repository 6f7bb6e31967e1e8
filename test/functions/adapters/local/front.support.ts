/** A front with small limits, and clients that send what they like. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { createFront, type Front, type FrontLimits } from "../../../../functions/adapters/local/front.ts";
import { HTTP_STATUSES } from "../../../../functions/api/http/reply.ts";
import { AppError, MisdirectedRequest, PayloadTooLarge } from "../../../../functions/ports/errors.ts";
import type { HttpAnswer, HttpEvent } from "../../../../functions/ports/http.ts";

let front: Front;
/** The events of the running front. */
export const seen: HttpEvent[] = [];
const sockets: Socket[] = [];
/** Closes the front and all clients; call it after each test. */
export async function stopFront(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await front.close(100);
}

export const answer = (statusCode: number, body: string): HttpAnswer => ({
  statusCode,
  headers: { "Content-Type": "text/plain" },
  body,
  isBase64Encoded: false,
});

const ROUTES = [
  { method: "GET", path: "/job/{guid}" },
  { method: "GET", path: "/job/list" },
  { method: "POST", path: "/document/{a}/x/{b}" },
];

const MAX_BODY_BYTES = 1000;
export const LIMITS: FrontLimits = {
  connections: 100,
  groupRequests: 10,
  bodies: { bytes: 10_000, groupBytes: 10_000, groupWaiting: 10, waitMs: 1_000 },
  bodySilenceMs: 5_000,
  headersMs: 5_000,
};

export const limit = { bytes: MAX_BODY_BYTES, tooLarge: () => new PayloadTooLarge("The request is over 1 kB") };

/** Receives the body as the API's handlers do, and answers errors as they do. */
export async function receiving({ exchange }: HttpEvent): Promise<HttpAnswer> {
  try {
    return answer(200, String((await exchange?.receive(limit))?.length));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return answer(HTTP_STATUSES[error.kind], error.message);
  }
}

export async function started(
  handler?: (event: HttpEvent) => Promise<HttpAnswer>,
  limits: Partial<FrontLimits> = {},
): Promise<string> {
  const handle = async (event: HttpEvent): Promise<HttpAnswer> => {
    const bytes = handler ? undefined : await event.exchange?.receive(limit);
    seen.push(bytes === undefined ? event : { ...event, bytes });
    return handler ? handler(event) : answer(200, event.routeKey);
  };
  seen.length = 0;
  front = createFront({
    routes: ROUTES,
    handlers: new Map(
      [...ROUTES.map(({ method, path }) => `${method} ${path}`), "$default"].map((key) => [key, handle]),
    ),
    refuse: (_event, error) => answer(HTTP_STATUSES[error.kind], error.message),
    guard: ({ headers }) => {
      if (headers.host === "evil.example") throw new MisdirectedRequest("Not this host");
    },
    beside: async (request, response) => {
      if (request.url !== "/beside") return false;
      response.end("beside");
      return true;
    },
    limits: { ...LIMITS, ...limits },
    now: () => 1_700_000_000_000,
    requestId: () => "request-1",
  });
  return `http://127.0.0.1:${await front.listen("127.0.0.1", 0)}`;
}

interface Raw {
  socket: Socket;
  /** All that came so far. */
  text(): string;
  closed: Promise<void>;
}

/** Sends text as it is. */
export function send(url: string, ...lines: string[]): Raw {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  sockets.push(socket);
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  if (lines.length > 0) socket.write(lines.join("\r\n"));
  return { socket, text: () => text, closed };
}

/** Waits until the text has come. */
export async function answered(raw: Raw, pattern = /\r\n\r\n/): Promise<string> {
  for (let round = 0; round < 400 && !pattern.test(raw.text()); round += 1) await sleep(5);
  expect(raw.text()).toMatch(pattern);
  return raw.text();
}

export const POST = "POST /document/a/x/b HTTP/1.1";
export const HOST = "Host: 127.0.0.1";
