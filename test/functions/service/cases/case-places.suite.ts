/** The limit of a case and its exactness, on any store of records. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addCaseDocument } from "../../../../functions/service/cases/add-document.ts";
import { documentIds, listCaseDocuments } from "../../../../functions/service/cases/case-documents.ts";
import { MAX_CASE_DOCUMENTS } from "../../../../functions/service/cases/case-places.ts";
import { createCase } from "../../../../functions/service/cases/cases.ts";
import { deleteCaseDocument } from "../../../../functions/service/lifecycle/delete-case.ts";
import { bindOrganization, type Organization } from "../../../../functions/service/organizations/organization.ts";
import { type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import type { Store } from "../../../support/stores.ts";

const UPLOADS = 250;

export function casePlacesSuite(name: string, openStore: () => Promise<Store>): void {
  describe(`a case on ${name}`, () => {
    let test: TestPlatform;
    let store: Store;
    let org: Organization;
    /** As of a second process. */
    let second: Organization;
    let caseId: number;
    const guids: string[] = [];

    beforeAll(async () => {
      test = testPlatform();
      store = await openStore();
      const open = () => withLostStarts(bindOrganization({ ...test.platform, records: store.open() }, 1));
      [org, second] = [open(), open()];
      caseId = (await createCase(org, { name: "Full", description: null, userId: "key" })).id;
    });
    afterAll(async () => {
      await test.close();
      await store.close();
    });

    const add = (guid: string, index = 0) =>
      addCaseDocument(index % 2 === 0 ? org : second, caseId, {
        guid,
        fileName: `${guid}.txt`,
        metadata: {},
        file: { bytes: Buffer.from("Text."), mimeType: "text/plain", fileName: `${guid}.txt` },
      });

    it("takes exactly 200 of 250 uploads at once, and tells the others so", async () => {
      for (let index = 0; index < UPLOADS; index += 1) guids.push(org.engines.clock.guid());
      const outcomes = await Promise.allSettled(guids.map(add));
      const refused = outcomes.filter((one) => one.status === "rejected");
      expect(refused).toHaveLength(UPLOADS - MAX_CASE_DOCUMENTS);
      for (const { reason } of refused) expect(reason.message).toBe("Case document limit reached: 200");
      const added = guids.filter((_, index) => outcomes[index]?.status === "fulfilled");
      expect(await documentIds(org, caseId, 1000)).toEqual([...added].sort());
      expect(await listCaseDocuments(org, caseId, { page: 0, size: 1 })).toMatchObject({ total: MAX_CASE_DOCUMENTS });
      guids.splice(0, guids.length, ...added);
    });

    it("takes nothing twice, and as many again as are deleted", async () => {
      const [first = "", ...rest] = guids.slice(0, 20);
      expect((await add(first, 1)).document.documentId).toBe(first);
      await Promise.all(rest.map((guid) => deleteCaseDocument(org, caseId, guid)));
      const more = Array.from({ length: 40 }, () => org.engines.clock.guid());
      const outcomes = await Promise.allSettled(more.map(add));
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(rest.length);
      expect(await documentIds(org, caseId, 1000)).toHaveLength(MAX_CASE_DOCUMENTS);
    });
  });
}
