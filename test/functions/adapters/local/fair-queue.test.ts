/** Groups take turns, whatever waits in them. */
import { describe, expect, it } from "vitest";
import { FairQueue } from "../../../../functions/adapters/local/fair-queue.ts";

function drained<T>(queue: FairQueue<T>): T[] {
  const taken: T[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

describe("FairQueue", () => {
  it("gives groups turns, the first item of each first", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "a3", "a4"]) queue.add("a", item);
    for (const item of ["b1", "b2"]) queue.add("b", item);
    queue.add("c", "c1");
    expect(queue.size).toBe(7);
    expect(drained(queue)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
    expect(queue.size).toBe(0);
  });

  it("gives the next turn to the least recently served group: a newcomer waits for nobody, nobody starves", () => {
    const queue = new FairQueue<string>();
    for (let count = 0; count < 1000; count++) queue.add("heavy", `h${count}`);
    expect([queue.take(), queue.take()]).toEqual(["h0", "h1"]);
    queue.add("light", "l0");
    const taken: (string | undefined)[] = [];
    // Light always has one thing waiting, never two.
    for (let round = 1; round <= 6; round++) {
      const item = queue.take();
      taken.push(item);
      if (item?.startsWith("l")) queue.add("light", `l${round}`);
    }
    expect(taken).toEqual(["l0", "h2", "l1", "h3", "l3", "h4"]);
  });

  it("skips disallowed items, removes items, and puts returning ones first", () => {
    const queue = new FairQueue<string>();
    queue.add("a", "a1");
    queue.add("a", "a2");
    queue.add("b", "b1");
    expect(queue.take({ group: (group) => group !== "a" })).toBe("b1");
    expect(queue.take({ group: () => false })).toBeUndefined();
    expect(queue.take({ item: (item) => item === "a2" })).toBe("a2");
    queue.add("a", "a0", "first");
    expect([queue.remove("a1"), queue.remove("a1")]).toEqual([true, false]);
    expect(queue.clear()).toEqual(["a0"]);
    expect(queue.take()).toBeUndefined();
  });
});
