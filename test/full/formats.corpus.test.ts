/** Every open PDF and image through the service in all three formats: text, page by page, without surprises. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOB_SENTENCES } from "../../functions/ports/errors.ts";
import { form } from "../support/api.ts";
import { startTestService, type TestService } from "../support/service.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real document was written in its formats`);

interface Entry {
  path: string;
  pages?: number;
  facts: Record<string, unknown>;
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const open = manifest.files.filter(
  ({ path }) => /\.(?:pdf|png|jpe?g|tiff?)$/.test(path) && !path.startsWith("hostile/"),
);
/** Pictures without words, such as a single barcode, have no text. */
const mayBeMute = ({ path }: Entry): boolean => /^figures-barcodes\/.*\.png$/.test(path);

describe.skipIf(!present)("transcribing open documents", () => {
  let target: TestService;
  beforeAll(async () => {
    target = await startTestService({});
  });
  afterAll(() => target.close());

  /** The text in a format; null when the job ended without one. */
  async function written(guid: string, format: string): Promise<string | null> {
    const { api } = target;
    expect((await api.post(`/document/ocr/${guid}?format=${format}`, { json: {} })).status).toBe(200);
    const job = await api.ended(guid);
    if (job.status === "COMPLETED") return (await api.get(`/job/result/${guid}`)).text;
    expect(job).toMatchObject({ status: "FAILED", error: JOB_SENTENCES.noText });
    return null;
  }

  it("has the corpus at hand", () => expect(open.length).toBeGreaterThanOrEqual(60));

  it.each(open.map((entry) => [entry.path, entry] as const))("gives every format of %s", async (path, entry) => {
    const body = form(readFileSync(join(CORPUS, path)), { name: basename(path) });
    const upload = await target.api.post("/document/upload", { body });
    expect(upload.status).toBe(201);
    const { guid } = upload.json;
    const plain = await written(guid, "plain");
    const markdown = await written(guid, "markdown");
    const lines = await written(guid, "jsonl");
    if (plain === null || markdown === null || lines === null) {
      expect([plain, markdown, lines]).toEqual([null, null, null]);
      expect(mayBeMute(entry)).toBe(true);
      return;
    }
    const pages = plain.split("\f").length;
    if (entry.pages !== undefined) expect(pages).toBe(entry.pages);
    expect(markdown.match(/^<!-- page \d+ -->$/gm)).toHaveLength(pages);
    const blocks = lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const block of blocks) expect(block).toHaveProperty("bbox");
    const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    // Headers and footers are not part of the flow in Markdown.
    const flow = blocks.filter(({ kind }) => kind !== "header" && kind !== "footer");
    const said = flow.reduce((sum, { text }) => sum + letters(text), 0);
    expect(letters(plain)).toBeGreaterThan(0);
    expect(letters(markdown)).toBeGreaterThanOrEqual(0.98 * said);
  });
});
