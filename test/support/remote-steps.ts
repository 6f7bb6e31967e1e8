/** Steps in the test's own process, which the emulator calls over HTTP instead of functions. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../../functions/ports/json.ts";
import type { Step } from "../../functions/ports/workflows.ts";

export interface RemoteSteps {
  /** The URL of a step. */
  urlOf(step: string): string;
  close(): Promise<void>;
}

async function inputOf(request: IncomingMessage): Promise<Json> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
}

/** Reports a failure like Lambda. */
async function answerOf(step: Step | undefined, input: Json): Promise<unknown> {
  try {
    if (step === undefined) throw new Error("There is no such step");
    return await step(input, { executionName: "unknown to a function" });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { FunctionError: { errorType: name, errorMessage: message } };
  }
}

export async function serveSteps(steps: Readonly<Record<string, Step>>): Promise<RemoteSteps> {
  const server = createServer(async (request, response) => {
    const answer = await answerOf(steps[(request.url ?? "").slice(1)], await inputOf(request));
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (step) => `http://127.0.0.1:${port}/${step}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
