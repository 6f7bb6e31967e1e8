/**
 * 200 real documents in one batch, twelve of them unreadable: every result is at its index and equals the document's
 * own result, at several concurrencies, and when the service is killed halfway.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOB_SENTENCES } from "../../functions/ports/errors.ts";
import { form } from "../support/api.ts";
import { ChaosService } from "../support/chaos.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no batch of real documents was processed`);

const TOTAL_DOCUMENTS = 200;
/** Documents that need a password, three times each. */
const BROKEN_FILES = [
  "enc-user-password.pdf",
  "enc-rc4-128-view-master.pdf",
  "enc-aes256-r6-foo-bar.pdf",
  "enc-ooxml-passtika.xlsx",
];
const BROKEN_DOCUMENTS = 12;
const FOLDERS = ["invoices", "office-templates", "acroforms", "figures-barcodes"];
/** Documents with text of a moderate size: 800 of them are read here. */
const MAX_DOCUMENT_BYTES = 160_000;
const COMMAND = { schema: { invoice_number: "string", issue_date: "date", total: "number" } };

interface Document {
  name: string;
  bytes: Buffer;
}
const load = (path: string): Document => ({ name: basename(path), bytes: readFileSync(join(CORPUS, path)) });

function openDocuments(): Document[] {
  const paths = FOLDERS.flatMap((folder) => readdirSync(join(CORPUS, folder)).map((name) => `${folder}/${name}`));
  return paths
    .filter((path) => /\.(?:pdf|docx|xlsx|pptx)$/.test(path) && !/scan/.test(path))
    .filter((path) => statSync(join(CORPUS, path)).size <= MAX_DOCUMENT_BYTES)
    .map(load);
}

/** Spreads the broken documents evenly: about every seventeenth. */
function mixed(good: readonly Document[], bad: readonly Document[]): Document[] {
  const every = Math.floor(TOTAL_DOCUMENTS / BROKEN_DOCUMENTS);
  return Array.from({ length: TOTAL_DOCUMENTS }, (_, index) => {
    const number = Math.floor(index / every);
    const broken = index % every === 5 && number < BROKEN_DOCUMENTS ? bad[number % bad.length] : undefined;
    return broken ?? (good[index % good.length] as Document);
  });
}

describe.skipIf(!present)("a batch of real documents", { timeout: 1_800_000 }, () => {
  const service = new ChaosService({}, { allProcesses: true });
  const alone = new Map<string, { entry: unknown; pages: number }>();
  let documents: Document[];
  let requests = 0;

  const send = (
    method: string,
    path: string,
    body?: () => FormData | string,
  ): Promise<ReturnType<typeof JSON.parse>> => {
    requests += 1;
    const headers: Record<string, string> = method === "POST" ? { "idempotency-key": `request-${requests}` } : {};
    const json = body !== undefined && typeof body() === "string" ? { "content-type": "application/json" } : {};
    return service.call(method, path, { ...(body ? { body } : {}), headers: { ...headers, ...json } });
  };
  const post = (path: string, json: unknown) => send("POST", path, () => JSON.stringify(json));
  const upload = (path: string, { bytes, name }: Document) => send("POST", path, () => form(bytes, { name }));

  async function ended(guid: string): Promise<ReturnType<typeof JSON.parse>> {
    for (;;) {
      const job = await send("GET", `/job/status/${guid}?waitSeconds=10`);
      if (!["PENDING", "PROCESSING"].includes(job.status)) return job;
    }
  }

  async function filled(): Promise<string> {
    const { guid } = await post("/document/batch", {});
    for (const [index, document] of documents.entries()) {
      expect(await upload(`/document/batch/${guid}/upload`, document)).toMatchObject({
        index,
        totalDocuments: index + 1,
      });
    }
    return guid;
  }

  async function expectAll(guid: string): Promise<void> {
    const job = await ended(guid);
    expect(job).toMatchObject({
      status: "PARTIAL",
      error: `${BROKEN_DOCUMENTS} of ${TOTAL_DOCUMENTS} documents failed`,
      totalDocs: TOTAL_DOCUMENTS,
      completedDocs: TOTAL_DOCUMENTS - BROKEN_DOCUMENTS,
      failedDocs: BROKEN_DOCUMENTS,
      inProgressDocs: 0,
      runs: [expect.objectContaining({ run: 1 })],
    });
    const list = await send("GET", `/job/result/${guid}/json`);
    expect(list).toEqual(documents.map(({ name }) => alone.get(name)?.entry));
    expect(list.filter((entry: unknown) => entry === JOB_SENTENCES.password)).toHaveLength(BROKEN_DOCUMENTS);
    // Each document was read once, whatever happened in between.
    const pages = documents.reduce((sum, { name }) => sum + (alone.get(name)?.pages ?? 0), 0);
    expect(job.usage.ocrPages).toBe(pages);
  }

  beforeAll(async () => {
    await service.start();
    const [good, bad] = [openDocuments(), BROKEN_FILES.map((name) => load(`hostile/${name}`))];
    const readable: Document[] = [];
    for (const document of [...good, ...bad]) {
      const { guid } = await upload("/document/upload", document);
      await post(`/document/process/${guid}`, COMMAND);
      const job = await ended(guid);
      const pages: number = job.usage.ocrPages;
      if (bad.includes(document)) expect(job.error).toBe(JOB_SENTENCES.password);
      else if (job.status === "COMPLETED") readable.push(document);
      const entry = job.status === "COMPLETED" ? await send("GET", `/job/result/${guid}/json`) : job.error;
      alone.set(document.name, { entry, pages });
    }
    expect(readable.length).toBeGreaterThan(25);
    documents = mixed(readable, bad);
  }, 600_000);
  afterAll(() => service.close());

  it.each([1, 4, 8])("gives 188 results and 12 error strings at their indexes, %i at once", async (maxConcurrency) => {
    const guid = await filled();
    await post(`/document/batch/${guid}/process`, { ...COMMAND, maxConcurrency });
    await expectAll(guid);
  });

  it("gives the same when the service is killed halfway, three times", async () => {
    const guid = await filled();
    await post(`/document/batch/${guid}/process`, { ...COMMAND, maxConcurrency: 8 });
    const { starts } = service;
    for (const done of [30, 90, 150]) {
      for (;;) {
        const { completedDocs, failedDocs, status } = await send("GET", `/job/status/${guid}`);
        expect(["PENDING", "PROCESSING"]).toContain(status);
        if (completedDocs + failedDocs >= done) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await service.kill();
    }
    await expectAll(guid);
    expect(service.starts).toBe(starts + 3);
  });
});
