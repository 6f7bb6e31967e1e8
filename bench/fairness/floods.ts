/** Floods of one organization's work, each kept up until it is stopped. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import type { SheafClient } from "../../client/index.ts";
import { isTerminal } from "../../client/types.ts";

export const FLOODS = ["uploads", "jobs", "batches", "webhooks", "polls"] as const;
export type FloodName = (typeof FLOODS)[number];

/** Concurrent calls of a flood. */
const CONCURRENT_CALLS = 24;
/** Pages of the flood's long documents. */
const LONG_PAGES = 40;
const BATCH_DOCUMENTS = 300;
/** Ended jobs of the webhook flood, each with one event. */
const EVENTS = 60;
/** Time that the flood's receiver takes to answer, below the service's own limit of 10 s. */
const SLOW_ANSWER_MS = 8_000;
const HELD_POLLS = 400;
const COMMAND = { schema: { invoice_number: "string", total: "number" } };

export interface FloodWork {
  client: SheafClient;
  isOver(): boolean;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function longDocument(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= LONG_PAGES; number++) {
    const page = pdf.addPage([612, 792]);
    for (let line = 0; line < 45; line++) {
      const text = `Line ${line} of page ${number} of a long report, with an amount of ${line * 17}.50`;
      page.drawText(text, { x: 60, y: 740 - line * 15, size: 10, font });
    }
  }
  return pdf.save();
}

/** A document of its own: the same bytes would be recognised as read before. */
const variant = (document: Uint8Array, number: number): Uint8Array =>
  Buffer.concat([document, Buffer.from(`\n%${number}`)]);

/** Repeats a call in parallel until the flood is over; refusals are part of a flood. */
async function repeat(work: FloodWork, call: (number: number) => Promise<unknown>): Promise<void> {
  let number = 0;
  const loop = async (): Promise<void> => {
    while (!work.isOver()) await call(number++).catch(() => sleep(50));
  };
  await Promise.all(Array.from({ length: CONCURRENT_CALLS }, loop));
}

async function floodUploads(work: FloodWork): Promise<void> {
  const long = await longDocument();
  await repeat(work, (number) =>
    work.client.upload(number % 2 === 0 ? variant(long, number) : encode(`One line, number ${number}\n`)),
  );
}

async function floodJobs(work: FloodWork): Promise<void> {
  const long = await longDocument();
  await repeat(work, async (number) => {
    const { guid } = await work.client.upload(variant(long, number));
    await work.client.process(guid, COMMAND);
  });
}

async function floodBatches(work: FloodWork): Promise<void> {
  const long = await longDocument();
  while (!work.isOver()) {
    const { guid } = await work.client.createBatch({ maxConcurrency: 100 });
    let left = BATCH_DOCUMENTS;
    const some = async (): Promise<void> => {
      while (left > 0 && !work.isOver()) await work.client.uploadToBatch(guid, variant(long, left--));
    };
    await Promise.all(Array.from({ length: CONCURRENT_CALLS }, some));
    await work.client.processBatch(guid, COMMAND);
    while (!work.isOver() && !isTerminal((await work.client.status(guid)).status)) await sleep(500);
  }
}

/** Ends many jobs whose events go to a receiver that answers, but late. */
async function floodWebhooks(work: FloodWork): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.writeHead(204).end(), SLOW_ANSWER_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await work.client.webhooks.set({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/late` });
  for (let number = 0; !work.isOver(); number++) {
    const { guid } = await work.client.upload(encode(`Invoice number: ${number}\nTotal: 5\n`));
    await work.client.process(guid, COMMAND);
    if (number >= EVENTS) await sleep(500);
  }
  await work.client.webhooks.set({ url: null });
  server.closeAllConnections();
  server.close();
}

async function floodPolls(work: FloodWork): Promise<void> {
  const { guid } = await work.client.upload(encode("It is never processed\n"));
  const hold = async (): Promise<void> => {
    while (!work.isOver()) await work.client.status(guid, { waitSeconds: 10 }).catch(() => sleep(50));
  };
  await Promise.all(Array.from({ length: HELD_POLLS }, hold));
}

/** Runs a flood until its work is over. */
export const flood: Record<FloodName, (work: FloodWork) => Promise<void>> = {
  uploads: floodUploads,
  jobs: floodJobs,
  batches: floodBatches,
  webhooks: floodWebhooks,
  polls: floodPolls,
};
