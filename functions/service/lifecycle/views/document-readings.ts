/** Quality report and layout of a document, as the API shows them. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { blobRangeReader, readLayoutHead } from "../../../engine/layout/layout-file.ts";
import { LAYOUT_PARTS } from "../../../engine/layout/page-view.ts";
import { NotFound } from "../../../ports/errors.ts";
import type { Organization } from "../../organizations/organization.ts";
import { artifactKey } from "../../runs/job-records.ts";
import { findServedRun, type StoredAnswer } from "../../runs/run-results.ts";
import { type WantedLayout, writeLayoutView } from "./layout-writing.ts";

export { LAYOUT_PARTS };

const JSON_TYPE = "application/json";

/** Finds the quality report. @throws NotFound for an unknown job or run, or a document that was not read */
export async function findOcrQuality(org: Organization, guid: string, run?: number): Promise<StoredAnswer> {
  const { qualityKey } = await findServedRun(org, guid, run);
  if (qualityKey === undefined) throw new NotFound(`Job ${guid} has no quality report: its document was not read`);
  return { key: qualityKey, contentType: JSON_TYPE };
}

/**
 * Makes the layout as the API shows it; stored among the job's files once it was made.
 * @param wanted `pages`: numbers from 1, absent: all
 * @throws NotFound for an unknown job or run, or a document that was not read
 */
export async function findLayout(
  org: Organization,
  guid: string,
  wanted: WantedLayout & { run?: number },
): Promise<StoredAnswer> {
  const { layoutKey, run } = await findServedRun(org, guid, wanted.run);
  if (layoutKey === undefined) throw new NotFound(`Job ${guid} has no layout: its document was not read`);
  const { pages, parts } = wanted;
  const name = createHash("sha256").update(JSON.stringify({ layoutKey, pages, parts })).digest("hex").slice(0, 24);
  const key = artifactKey(guid, run, `layout/views/${name}.json`);
  const answer = { key, contentType: JSON_TYPE };
  if ((await org.blobs.head(key)) !== undefined) return answer;

  const ranges = blobRangeReader(org.blobs, layoutKey);
  const layoutHead = await readLayoutHead(ranges);
  const { head } = layoutHead;
  const contentLength = head.index.reduce((sum, [, , length], at) => sum + length + (at > 0 ? 1 : 0), 0);
  const { provider, logicalPages, attachments = [] } = head;
  const facts = { version: 1, provider, logicalPages, contentLength, attachments };
  const view = writeLayoutView(org, { read: ranges, parsed: layoutHead }, facts, wanted);
  await org.blobs.put(key, Readable.from(view, { objectMode: false }), { contentType: JSON_TYPE });
  return answer;
}
