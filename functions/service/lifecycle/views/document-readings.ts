/** Quality report and layout of a document, as the API shows them. */
import { createHash } from "node:crypto";
import { blobRangeReader, readLayoutHead, streamPages } from "../../../engine/layout/layout-file.ts";
import { LayoutLists, pageText } from "../../../engine/layout/layout-lists.ts";
import { LAYOUT_PARTS, type LayoutPart, viewPage } from "../../../engine/layout/page-view.ts";
import { NotFound } from "../../../ports/errors.ts";
import type { Organization } from "../../organizations/organization.ts";
import { artifactKey } from "../../runs/job-records.ts";
import { findServedRun, type StoredAnswer } from "../../runs/run-results.ts";

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
  wanted: { run?: number; pages?: readonly number[]; parts: readonly LayoutPart[] },
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
  const isChosen = (number: number): boolean => pages === undefined || pages.includes(number);
  // `content` is the whole document's text, as spans count from its beginning.
  const isNeeded = parts.includes("content") ? undefined : isChosen;
  const written: string[] = [];
  const texts: string[] = [];
  const lists = new LayoutLists(parts);
  for await (const page of streamPages(ranges, layoutHead, isNeeded)) {
    texts.push(pageText(page));
    if (!isChosen(page.number)) continue;
    const offset = textOffset(head.index, page.number);
    written.push(JSON.stringify(viewPage(page, offset, parts)));
    if (lists.hasRequestedLists) lists.add(page, offset);
  }
  const content = parts.includes("content") ? { contentFormat: "text", content: texts.join("\n") } : {};
  const beside = JSON.stringify({ ...facts, ...content, ...lists.lists() });
  const body = `${beside.slice(0, -1)},"pages":[${written.join(",")}]}`;
  await org.blobs.put(key, Buffer.from(body), { contentType: JSON_TYPE });
  return answer;
}

/** Offset of a page's text in the document's text. */
function textOffset(index: readonly [number: number, bytes: number, length: number][], page: number): number {
  let offset = 0;
  for (const [number, , length] of index) {
    if (number === page) return offset;
    offset += length + 1;
  }
  return offset;
}
