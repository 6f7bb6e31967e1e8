/** The index of a knowledge base follows its documents, also when its work is cut short, repeated or concurrent. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPassageIndexes } from "../../../../functions/adapters/search/open-indexes.ts";
import { writeLayout } from "../../../../functions/engine/layout/layout-file.ts";
import { ConcurrentModification, ConditionFailed } from "../../../../functions/ports/errors.ts";
import { type CaseRecord, caseKey, documentKey } from "../../../../functions/service/cases/case-records.ts";
import { createCase } from "../../../../functions/service/cases/cases.ts";
import { dueIndexing, indexingListener } from "../../../../functions/service/knowledge/due-indexing.ts";
import { followQueued } from "../../../../functions/service/knowledge/follow-documents.ts";
import { demoteCase, promoteCase } from "../../../../functions/service/knowledge/knowledge-bases.ts";
import { indexingDue } from "../../../../functions/service/knowledge/knowledge-records.ts";
import { searchKnowledgeBase } from "../../../../functions/service/knowledge/search-passages.ts";
import { bindOrganization, type Organization } from "../../../../functions/service/organizations/organization.ts";
import { stateKey } from "../../../../functions/service/runs/case-place.ts";
import { directEngine } from "../../../support/engines.ts";
import { layoutOf, paragraph } from "../../../support/passage-layout.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

let at: TestPlatform;
let org: Organization;
let caseId: number;
beforeEach(async () => {
  at = testPlatform(directEngine);
  Object.assign(at.platform.engines, { passages: openPassageIndexes() });
  org = bindOrganization(at.platform, 1);
  caseId = (await createCase(org, { name: "Contracts", description: null, userId: "key" })).id;
});
afterEach(() => at.close());

const layoutKey = (documentId: string): string => `jobs/${documentId}/layout.json`;

/** Puts a document with one word into the case, as its reading leaves it. */
async function add(documentId: string, word: string): Promise<void> {
  const layout = layoutOf([paragraph(`A sentence with the word ${word} in it.`)]);
  await org.blobs.put(layoutKey(documentId), writeLayout(layout));
  const fileName = `${documentId}.pdf`;
  const state = { v: 1, documentId, status: "COMPLETED", updatedAt: "", layoutKey: layoutKey(documentId) };
  await org.records.transact([
    { kind: "put", key: documentKey(caseId, documentId), value: { v: 1, documentId, fileName } },
    { kind: "put", key: stateKey(caseId, documentId), value: state },
    dueIndexing(org, { caseId, guid: documentId }),
  ]);
}

async function remove(documentId: string): Promise<void> {
  await org.records.transact([
    { kind: "delete", key: documentKey(caseId, documentId) },
    { kind: "delete", key: stateKey(caseId, documentId) },
    dueIndexing(org, { caseId, guid: documentId }),
  ]);
}

const found = async (word: string): Promise<string[]> =>
  (await searchKnowledgeBase(org, caseId, word, 10)).map(({ documentId }) => documentId).sort();
const knowledgeFiles = async (): Promise<string[]> =>
  (await org.blobs.list("knowledge/")).blobs.map(({ key }) => key.replace(/index\/.*/, "index"));
const filesOf = (...documents: string[]): string[] => [
  ...documents.flatMap((id) => [`passages-1`, `terms-1`].map((name) => `knowledge/${caseId}/${id}/${name}.jsonl`)),
  `knowledge/${caseId}/index`,
];

/** Does the work of due records until nothing is due; a killed worker's turn is over by then. */
async function work(...due: string[]): Promise<void> {
  for (const guid of due) {
    for (let tries = 0; (await org.records.due(indexingDue(guid))) !== undefined && tries < 20; tries += 1) {
      at.pass(200);
      await followQueued(org, guid);
    }
    expect(await org.records.due(indexingDue(guid))).toBeUndefined();
  }
}

class Killed extends Error {}

/** An organization whose process dies at its n-th write: it is done or not, and nothing happens afterwards. */
function dyingAt(write: number, done: boolean): { org: Organization; writes(): number } {
  let writes = 0;
  let dead = false;
  const watched = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return async (...given: unknown[]) => {
          if (dead) throw new Killed();
          const writing = /^(put|delete|add|transact)$/.test(String(name));
          if (writing) writes += 1;
          dead = writing && writes === write;
          if (!dead || done) await Promise.resolve();
          if (dead && !done) throw new Killed();
          const result: unknown = await Reflect.apply(member, target, given);
          if (dead) throw new Killed();
          return result;
        };
      },
    });
  const dying = { ...org, records: watched(org.records), blobs: watched(org.blobs) };
  return { org: dying, writes: () => writes };
}

describe("the index of a knowledge base", () => {
  it("has the documents that were read, and forgets those that are removed", async () => {
    await add("a", "oil");
    await promoteCase(org, caseId);
    await work(String(caseId), "a");
    expect(await found("oil")).toEqual(["a"]);
    await add("b", "oil");
    await work("b");
    expect(await found("oil")).toEqual(["a", "b"]);
    expect(await knowledgeFiles()).toEqual(filesOf("a", "b"));
    await remove("a");
    expect(await found("oil")).toEqual(["b"]);
    await work("a");
    expect(await knowledgeFiles()).toEqual(filesOf("b"));
    await demoteCase(org, caseId);
    await work(String(caseId));
    expect(await knowledgeFiles()).toEqual([]);
    expect((await org.records.query({ partition: `knowledge/${caseId}` })).items).toEqual([]);
  });

  it("is whole after its work was killed at any write, and leaves no file behind", async () => {
    const scenario = async () => {
      await add("a", "oil");
      await promoteCase(org, caseId);
      await work(String(caseId), "a");
      await add("b", "oil");
      await remove("a");
    };
    let last = Number.POSITIVE_INFINITY;
    for (let write = 1; write <= last; write += 1) {
      for (const done of [true, false]) {
        await scenario();
        const dying = dyingAt(write, done);
        await followQueued(dying.org, "b").catch((error: unknown) => {
          expect(error).toBeInstanceOf(Killed);
        });
        if (dying.writes() < write) last = write;
        await work("b", "a");
        expect(await found("oil"), `killed at write ${write}`).toEqual(["b"]);
        expect(await knowledgeFiles(), `killed at write ${write}`).toEqual(filesOf("b"));
        await remove("b");
        await demoteCase(org, caseId);
        await work(String(caseId), "b");
        expect(await knowledgeFiles()).toEqual([]);
      }
    }
    expect(last).toBeGreaterThan(8);
  });

  it("has all documents that are indexed at the same time", async () => {
    await promoteCase(org, caseId);
    const ids = Array.from({ length: 30 }, (_, number) => `d${String(number).padStart(2, "0")}`);
    for (const id of ids) await add(id, "oil");
    await Promise.all(ids.slice(0, 6).map((id) => followQueued(org, id)));
    await work(...ids, String(caseId));
    const hits = await searchKnowledgeBase(org, caseId, "oil", 50);
    expect(hits.map(({ documentId }) => documentId).sort()).toEqual(ids);
  });

  it("is made again of what is stored when its file is lost", async () => {
    await promoteCase(org, caseId);
    await add("a", "oil");
    await add("b", "oil");
    await work("a", "b");
    for (const { key } of (await org.blobs.list(`knowledge/${caseId}/index/`)).blobs) await org.blobs.delete(key);
    await add("c", "oil");
    await work("c");
    expect(await found("oil")).toEqual(["a", "b", "c"]);
  });

  it("finds the passages of a file that is replaced during the search", async () => {
    await promoteCase(org, caseId);
    await add("a", "oil");
    await work("a");
    await add("b", "oil");
    const [hits] = await Promise.all([found("oil"), work("b")]);
    expect(hits).toContain("a");
  });
});

describe("an event of a case that is no knowledge base", () => {
  it("makes no work, and leaves none due", async () => {
    await add("a", "oil");
    await indexingListener.after(org, { kind: "read", caseId, documentId: "a", layoutKey: layoutKey("a") });
    expect(await org.records.due(indexingDue("a"))).toBeUndefined();
    expect(await knowledgeFiles()).toEqual([]);
  });
});

describe("a change of a case", () => {
  const meeting = (most: number): Organization => {
    let met = 0;
    return {
      ...org,
      records: {
        ...org.records,
        transact: async (operations, options) => {
          met += 1;
          if (met > most) return org.records.transact(operations, options);
          throw new ConditionFailed("met", [0]);
        },
      },
    };
  };

  it("is repeated where it meets another one", async () => {
    await promoteCase(meeting(2), caseId);
    expect((await org.records.get<CaseRecord>(caseKey(caseId)))?.value.isKnowledgeBase).toBe(true);
  });

  it("gives way when it meets others again and again", async () => {
    await expect(promoteCase(meeting(99), caseId)).rejects.toBeInstanceOf(ConcurrentModification);
    await promoteCase(org, caseId);
    await expect(demoteCase(meeting(99), caseId)).rejects.toBeInstanceOf(ConcurrentModification);
  });
});
