/** The contract of PassageIndexes. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { searchTerms } from "../../functions/engine/passages/search-terms.ts";
import type { PassageHit, PassageIndexes, PassageTerms } from "../../functions/ports/passage-index.ts";

/** The terms of a document whose passages are these texts; a passage's place is its number. */
export const termsOf = (document: string, ...texts: (string | [headings: string, text: string])[]): PassageTerms => ({
  document,
  terms: Buffer.from(
    texts
      .map((one, start) => {
        const [headings, text] = typeof one === "string" ? ["", one] : one;
        const entry = { headings: searchTerms(headings).join(" "), text: searchTerms(text).join(" "), start, bytes: 1 };
        return `${JSON.stringify(entry)}\n`;
      })
      .join(""),
  ),
});

export function passageIndexSuite(name: string, open: () => PassageIndexes): void {
  describe(`PassageIndexes: ${name}`, () => {
    let indexes: PassageIndexes;
    beforeEach(() => {
      indexes = open();
    });
    afterEach(() => indexes.close());

    let states = 0;
    async function search(index: Uint8Array, question: string, limit = 5): Promise<PassageHit[]> {
      states += 1;
      const found = await indexes.search(`state-${states}`, async () => index, { terms: searchTerms(question), limit });
      return found ?? [];
    }
    const places = (hits: PassageHit[]): string[] => hits.map(({ document, start }) => `${document}/${start}`);

    it("PassageIndexes.search gives the passages with the words asked for, the best first", async () => {
      const a = termsOf("a", "the price of oil", "oil and water and more words about nothing", "bread");
      const index = await indexes.update(undefined, { remove: [], add: [a, termsOf("b", "price price", "flour")] });
      const hits = await search(index, "oil price");
      expect(places(hits)[0]).toBe("a/0");
      expect(places(hits).sort()).toEqual(["a/0", "a/1", "b/0"]);
      expect(hits.every(({ score }, at) => score > 0 && score <= (hits[at - 1]?.score ?? score))).toBe(true);
      expect(await search(index, "oil price", 1)).toHaveLength(1);
      expect(await search(index, "cheese")).toEqual([]);
      expect(await search(index, "")).toEqual([]);
    });

    it("PassageIndexes.search counts the words of headings", async () => {
      const a = termsOf("a", ["Payment terms", "Thirty days."], ["Delivery", "Thirty days."]);
      const index = await indexes.update(undefined, { remove: [], add: [a] });
      expect(places(await search(index, "payment days"))).toEqual(["a/0", "a/1"]);
    });

    it("PassageIndexes.update adds, replaces and removes documents and leaves the others", async () => {
      const first = await indexes.update(undefined, { remove: [], add: [termsOf("a", "oil"), termsOf("b", "oil")] });
      const second = await indexes.update(first, { remove: [], add: [termsOf("c", "oil"), termsOf("a", "water")] });
      expect(places(await search(second, "oil")).sort()).toEqual(["b/0", "c/0"]);
      expect(places(await search(second, "water"))).toEqual(["a/0"]);
      const third = await indexes.update(second, { remove: ["b", "unknown"], add: [] });
      expect(places(await search(third, "oil"))).toEqual(["c/0"]);
      expect(places(await search(first, "oil")).sort()).toEqual(["a/0", "b/0"]);
    });

    it("PassageIndexes.search loads an index once a name, and gives undefined when it is gone", async () => {
      const index = await indexes.update(undefined, { remove: [], add: [termsOf("a", "oil")] });
      let loads = 0;
      const load = async () => {
        loads += 1;
        return index;
      };
      const question = { terms: ["oil"], limit: 1 };
      for (let at = 0; at < 3; at += 1) expect(await indexes.search("once", load, question)).toHaveLength(1);
      expect(loads).toBe(1);
      expect(await indexes.search("gone", async () => undefined, question)).toBeUndefined();
      await expect(indexes.search("failing", () => Promise.reject(new Error("no disk")), question)).rejects.toThrow(
        "no disk",
      );
    });

    it("PassageIndexes.search closes those not used for long, and opens them again", async () => {
      const index = await indexes.update(undefined, { remove: [], add: [termsOf("a", "oil")] });
      const question = { terms: ["oil"], limit: 1 };
      const names = Array.from({ length: 12 }, (_, at) => `open-${at}`);
      for (const one of [...names, ...names]) {
        expect(await indexes.search(one, async () => index, question)).toHaveLength(1);
      }
    });

    it("PassageIndexes.search takes terms of any script and sign", async () => {
      const index = await indexes.update(undefined, { remove: [], add: [termsOf("a", "東京都", "naïve")] });
      expect(places(await search(index, "東京"))).toEqual(["a/0"]);
      const odd = { terms: ['"', "NEAR(", "a*", ...searchTerms("naive")], limit: 5 };
      expect(await indexes.search("odd", async () => index, odd)).toHaveLength(1);
    });
  });
}
