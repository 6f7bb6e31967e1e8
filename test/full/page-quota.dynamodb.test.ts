/** Concurrent charges of a page quota, with records in a local DynamoDB: transactions that conflict for real. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { DEFAULT_CONFIG } from "../../functions/service/organizations/organization.ts";
import { organizationRecords } from "../../functions/service/organizations/organization-records.ts";
import { chargePages, mayCharge } from "../../functions/service/organizations/page-quota.ts";
import { hasDynoxide, makeRecordsTable, startDynoxide } from "../support/dynoxide.ts";

describe.runIf(hasDynoxide())("a page quota on DynamoDB", () => {
  it("is never passed, and a repeated charge counts once", async () => {
    const directory = mkdtempSync(join(tmpdir(), "sheaf-pages-"));
    const dynoxide = await startDynoxide(join(directory, "records.db"));
    try {
      await makeRecordsTable(dynoxide.client, "records");
      const clock = systemClock();
      const records = openDynamoRecords({ client: dynoxide.client, table: "records", clock });
      const org = {
        records: organizationRecords(records, 1),
        config: { ...DEFAULT_CONFIG, pageQuota: 60 },
        engines: { clock },
      } as unknown as Parameters<typeof chargePages>[0];
      const tokens = Array.from({ length: 12 }, (_, index) => `t${index}`);
      const charged = await Promise.all(tokens.map((token) => mayCharge(org, 7, token)));
      expect(charged.filter(Boolean)).toHaveLength(8);
      await Promise.all(tokens.filter((_, index) => charged[index]).map((token) => chargePages(org, 7, token)));
      await chargePages(org, 4, "rest");
      expect(await mayCharge(org, 1, "more")).toBe(false);
    } finally {
      await dynoxide.close();
      rmSync(directory, { recursive: true });
    }
  });
});
