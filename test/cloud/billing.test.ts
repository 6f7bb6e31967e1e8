/** Billing in the deployment: each function's rights on the ledger, and the ledger that all of them have written. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { PDF } from "../../functions/ports/media-types.ts";
import { ledgerOf } from "../../functions/service/organizations/organization-ledger.ts";
import { invoiceLines, textPdf } from "../support/pdf.ts";
import { scannedPdf } from "../support/scans.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

const { clientOptions = {}, outputs = {} } = JSON.parse(process.env.SHEAF_E2E_AWS ?? "{}");
/** A page of Textract, by the usual rates. */
const PAGE_TOKENS = 1_000;

describe.skipIf(REMOTE_URL === undefined)("billing in the deployment", () => {
  const client = new DynamoDBClient({ ...clientOptions });
  const clock = systemClock();
  let target: TestService;
  beforeAll(async () => {
    target = await startTestService();
  });
  afterAll(() => client.destroy());

  it("records a run's pages, and leaves the balance alone", async () => {
    const { api, keys } = target;
    const scan = await scannedPdf(await textPdf(invoiceLines));
    const { guid, usage, status } = await api.processed(scan, { extractionMode: "OCR" }, { type: PDF });
    expect({ status, usage }).toEqual({
      status: "COMPLETED",
      usage: { tokens: PAGE_TOKENS, ocrPages: 1, llmTokens: 0 },
    });
    expect((await api.get("/billing/balance")).json).toMatchObject({ balance: 0, held: 0, status: "record" });
    const { entries } = (await api.get("/billing/usage")).json;
    expect(entries.filter((one: { jobGuid: string }) => one.jobGuid === guid)).toMatchObject([
      { kind: "debit", amount: 0, tokens: PAGE_TOKENS },
    ]);
    const records = openDynamoRecords({ client, table: outputs.TableName, clock });
    const { account, drift } = await ledgerOf(records, keys.organizationId, clock).reconcile();
    expect([drift, account.entries > 0]).toEqual([[], true]);
  });

  it("quotes a stored document, which is measured as its run would read it", async () => {
    const { api } = target;
    const guid = await api.upload("Invoice 17\nTotal: 12.50 EUR");
    const quote = async (body: object) => (await api.post("/quotes", { json: body })).json;
    const { tokens, upperBound, lines } = await quote({ guid, command: { schema: { total: "number" } } });
    expect(lines).toEqual([{ what: "model, tier DEFAULT", unit: "token", quantity: tokens, tokens }]);
    expect(upperBound).toBeGreaterThan(tokens);
    expect((await quote({ guid, command: { extractionMode: "OCR" } })).tokens).toBe(0);
  });
});
