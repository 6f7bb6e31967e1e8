/** Batches on the test platform. */

import type { readTask } from "../../../../functions/engine/tasks/read.ts";
import { JobFailure } from "../../../../functions/ports/errors.ts";
import { findAnyResult } from "../../../../functions/service/batches/batch-results.ts";
import { addDocument, createBatch } from "../../../../functions/service/batches/batches.ts";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";
import type { FakeOf } from "../../../support/engines.ts";
import { easyTasks } from "../../../support/platform.ts";
import { commandOf } from "../../../support/runs.ts";

export const COMMAND = commandOf({ mimeType: "" });

/** Makes a batch of texts. */
export async function batchOf(org: Organization, texts: readonly string[]): Promise<string> {
  const { guid } = await createBatch(org, { guid: org.engines.clock.guid(), maxConcurrency: 3 });
  for (const text of texts) {
    const document = { guid: org.engines.clock.guid(), bytes: Buffer.from(text), mimeType: "text/plain" };
    await addDocument(org, guid, { ...document, declared: true, fileName: `${text}.txt` });
  }
  return guid;
}

export const listOf = async (org: Organization, guid: string, run?: number): Promise<unknown> => {
  const { key } = await findAnyResult(org, guid, { interim: true, run });
  return JSON.parse(Buffer.from((await org.blobs.get(key)) ?? []).toString("utf8"));
};

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** An engine that fails on texts with `bad`. */
export const read: FakeOf<typeof readTask> = async ({ bytes }) => {
  if (Buffer.from(bytes).includes("bad")) throw new JobFailure("Processing failed: Text extraction failed");
  return easyTasks.read();
};
