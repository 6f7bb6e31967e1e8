/** The servers around the service: a model that stalls and fails, and a receiver of webhooks that is slow and fails. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { answerJson, fail, type ModelServer, startModelServer } from "../model-server.ts";
import type { History } from "./history.ts";

export type Mood = "well" | "slow" | "failing";

/** Milliseconds by which a slow model answers late. */
const SLOW_MODEL_MS = 2_500;
/** Milliseconds of a slow receiver: below the 10 s that the service waits. */
const SLOW_RECEIVER_MS = 6_000;

export interface Model {
  server: ModelServer;
  mood: Mood;
}

/** A model that finds the word of the document it is asked about. */
export async function startModel(): Promise<Model> {
  const model: Omit<Model, "server"> & { server?: ModelServer } = { mood: "well" };
  model.server = await startModelServer(async (request) => {
    const { mood } = model;
    if (mood === "failing") return fail(503);
    if (mood === "slow") await sleep(SLOW_MODEL_MS);
    const word = /\bW\d+X\d+X\d+\b/.exec(request.user)?.[0] ?? null;
    return answerJson({ invoice_number: word });
  });
  return model as Model;
}

export interface Receiver {
  url: string;
  mood: Mood;
  close(): Promise<void>;
}

/** A receiver that notes every event, with the answer that it gave. */
export async function startReceiver(history: History): Promise<Receiver> {
  const receiver = { mood: "well" as Mood, url: "" };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const { mood } = receiver;
      if (mood === "slow") await sleep(SLOW_RECEIVER_MS);
      const { jobGuid, run, type } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const id = String(request.headers["webhook-id"]);
      const acknowledged = mood !== "failing" && !response.destroyed;
      history.events.push({ id, jobGuid, run, type, acknowledged });
      response.writeHead(acknowledged ? 204 : 500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return Object.assign(receiver, {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
