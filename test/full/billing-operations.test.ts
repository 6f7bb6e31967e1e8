/** Operations on a scanned form: one that reads it anew is charged for its pages, the others for nothing. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../../functions/engine/readers/pdf/read-pdf-page.ts";
import { PDF } from "../../functions/ports/media-types.ts";
import { ledgerOf } from "../../functions/service/organizations/organization-ledger.ts";
import { flatForm } from "../support/flat-form.ts";
import { definition } from "../support/form-definitions.ts";
import { answerJson, type ModelServer, startModelServer } from "../support/model-server.ts";
import { pictureEngine, USE } from "../support/recognition.ts";
import { scannedPdf } from "../support/scans.ts";
import { startTestService, type TestService } from "../support/service.ts";

const DOCUMENT = { name: "document.pdf", type: PDF };
const PAGE_TOKENS = 10;

let dataDir: string;
let server: ModelServer;
let target: TestService;
let scan: Uint8Array;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "sheaf-billing-"));
  server = await startModelServer(() => answerJson({ total: 12.5 }));
  const flat = await flatForm();
  scan = await scannedPdf(flat);
  const page = await withPdf(flat, (document) => document.withPage(0, (open) => readPdfPage(open, 1)));
  const ocr = pictureEngine(
    { pages: [], completed: [] },
    {
      recognize: async () => ({
        page: { page, angle: 0, roles: page.blocks.map(() => "text"), tables: [], fields: [] },
        use: { ...USE, pages: 1 },
      }),
    },
  );
  const env = {
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: server.url,
    LLM_MODEL_DEFAULT: "a-model",
    SHEAF_BILLING: "enforced",
    SHEAF_RATES: JSON.stringify({ ocr: { fake: PAGE_TOKENS } }),
  };
  target = await startTestService({ dataDir, env, ocr });
});
afterAll(async () => {
  await target.close();
  await server.close();
  rmSync(dataDir, { recursive: true });
});

async function grant(organization: number, amount: number): Promise<void> {
  const clock = systemClock();
  const records = openRecords(join(dataDir, "records.sqlite"), { clock });
  await ledgerOf(records, organization, clock).post([{ kind: "grant", key: "first", amount, reason: "a pack" }]);
  records.close();
}
const balanceOf = async (api = target.api) => (await api.get("/billing/balance")).json;
/** The newest entries, newest first. */
const newest = async (count: number) =>
  (await target.api.get("/billing/usage")).json.entries
    .slice(0, count)
    .map(({ kind, amount, held }: { kind: string; amount: number; held: number }) => `${kind} ${amount} ${held}`);

describe("an operation on a scanned form", () => {
  let parent: string;
  const operate = async (customParameters: object) => {
    const wish = { jobGuid: parent, type: "pdf-acroform", parameters: { customParameters } };
    const { status, json } = await target.api.post("/operation", { json: wish });
    expect(status).toBe(200);
    return target.api.ended(json.jobGuid);
  };
  beforeAll(async () => {
    await grant(1, 1_000);
    const job = await target.api.processed(scan, { extractionMode: "OCR" }, DOCUMENT);
    expect(job).toMatchObject({ status: "COMPLETED", usage: { tokens: PAGE_TOKENS, ocrPages: 1 } });
    parent = job.guid;
  });

  it("that reads it anew holds two looks at each page, and is charged for the pages it read", async () => {
    const before = await balanceOf();
    const job = await operate({ forceOcr: true, ocr: "DEFAULT" });
    expect(job).toMatchObject({ status: "COMPLETED", usage: { tokens: PAGE_TOKENS, ocrPages: 1, llmTokens: 0 } });
    expect(await newest(3)).toEqual(["release 0 -10", "capture -10 -10", "hold 0 20"]);
    expect(await balanceOf()).toMatchObject({ balance: before.balance - PAGE_TOKENS, held: 0 });
  });

  it("that works on what was read holds and costs nothing", async () => {
    const before = await balanceOf();
    const entries = await newest(100);
    expect(await operate({})).toMatchObject({ status: "COMPLETED", usage: { tokens: 0, ocrPages: 0, llmTokens: 0 } });
    const fieldDefinitions = [definition("full_name", [200, 105, 450, 122], { label: "Full name" })];
    const applied = await target.api.post(`/job/${parent}/pdf-acroform/apply`, { json: { fieldDefinitions } });
    expect(await target.api.ended(applied.json.jobGuid)).toMatchObject({ status: "COMPLETED", usage: { tokens: 0 } });
    expect(await balanceOf()).toEqual(before);
    expect(await newest(100)).toEqual(entries);
  });
});
