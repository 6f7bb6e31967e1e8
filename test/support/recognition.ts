/** Runs that recognise documents, with engines that record their requests. */

import type { Reading } from "../../functions/engine/tasks/reading-shapes.ts";
import type { OcrEngine, OcrLevel, OcrMode, OcrPage } from "../../functions/ports/ocr.ts";
import { waitForEnd } from "../../functions/service/lifecycle/views/wait-for-end.ts";
import type { JobRecord, UsageEvent } from "../../functions/service/runs/job-records.ts";
import { createJob } from "../../functions/service/runs/job-store.ts";
import { openRun } from "../../functions/service/runs/open-run.ts";
import type { RunCommand } from "../../functions/service/runs/run-command.ts";
import type { Fakes } from "./engines.ts";
import { easyTasks, type TestPlatform } from "./platform.ts";

export const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

export const ocrPage = (number: number): OcrPage => ({
  page: { number, width: 8.5, height: 11, unit: "inch", rotation: 0, blocks: [] },
  angle: 0,
  roles: [],
  tables: [],
  fields: [],
});

const reading = (pending: number[], pageCount: number): Reading => ({
  layout: bytes({}),
  quality: bytes({}),
  facts: { provider: "pdf-text", pageCount, wordCount: 5, characterCount: 20 },
  pending,
});

export interface Asked {
  pages: number[];
  completed: { pages: number[]; unread: number[]; late?: number[]; hurried?: number[]; level: OcrLevel }[];
}

/**
 * Documents with `pageCount` pages, of which the pages `pending` have no text; those in `poor` are poor at the first
 * level.
 */
export function scans(pending: number[], pageCount: number, poor: number[] = []) {
  const asked: Asked = { pages: [], completed: [] };
  const documents = {
    read: async () => reading(pending, pageCount),
    async complete({ recognised: { pages, unread, late = [], hurried = [], level, ocr } }) {
      asked.completed.push({
        pages: pages.map(({ page }) => page.number),
        unread,
        ...(late.length === 0 ? {} : { late }),
        ...(hurried.length === 0 ? {} : { hurried }),
        level,
      });
      return reading(ocr === "AUTO" && level !== "PREMIUM" ? poor : [], pageCount);
    },
  } satisfies Fakes;
  return { asked, documents };
}

/** Documents of three pages, all of which are recognised. @param read reads one, and its pending pages do not count */
export function threeScans(read: NonNullable<Fakes["read"]> = easyTasks.read) {
  const pending = [1, 2, 3];
  const documents = {
    async read(...given: Parameters<typeof read>) {
      return { ...(await read(...given)), pending };
    },
  } satisfies Fakes;
  return [documents, pictureEngine({ pages: [], completed: [] })] as const;
}

export const USE = { provider: "fake", operation: "Look", features: [] };

export function pictureEngine(asked: Asked, change: Partial<OcrEngine> = {}): OcrEngine {
  return {
    name: "fake",
    maxImageBytes: 1_000_000,
    maxSide: 10_000,
    parallel: 2,
    async recognize({ pageNumber }) {
      asked.pages.push(pageNumber);
      return { page: ocrPage(pageNumber), use: { ...USE, pages: 1 } };
    },
    ...change,
  };
}

export async function run({ org }: TestPlatform, ocr: OcrMode = "DEFAULT"): Promise<JobRecord> {
  const { guid } = await createJob(org, { bytes: Buffer.from("x"), mimeType: "application/pdf", fileName: null });
  const command: RunCommand = {
    v: 1,
    mode: "OCR",
    ocr,
    mimeType: "application/pdf",
    sourceLocations: false,
    granularity: "auto",
    format: "plain",
  };
  await openRun(org, guid, command);
  // Tests move the clock.
  return waitForEnd(org, guid, 2000);
}

export async function usage({ org }: TestPlatform): Promise<Record<string, number>> {
  const month = new Date(org.engines.clock.now()).toISOString().slice(0, 7);
  const { items } = await org.records.query<UsageEvent>({ partition: `usage/${month}` });
  return Object.fromEntries(items.map(({ value }) => [value.provider_key, value.quantity]));
}
