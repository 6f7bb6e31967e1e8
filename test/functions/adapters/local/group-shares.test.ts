/** The share of the processes that a group may use. */
import { describe, expect, it } from "vitest";
import { GroupPresence, GroupShares } from "../../../../functions/adapters/local/group-shares.ts";

describe("GroupShares", () => {
  it("gives a group that is alone more than one beside another group", () => {
    let now = 0;
    const shares = new GroupShares({ alone: 2, beside: 1 }, new GroupPresence(() => now));
    shares.seen("many");
    shares.began("many");
    expect(shares.mayWork("many")).toBe(true);
    shares.seen("one");
    expect(shares.mayWork("many")).toBe(false);
    expect(shares.mayWork("one")).toBe(true);
    shares.began("one");
    expect(shares.mayWork("one")).toBe(false);
    now = 5_000;
    expect(shares.mayWork("many"), "the other is still at work").toBe(false);
    shares.ended("one");
    expect(shares.mayWork("many"), "its next task may follow").toBe(false);
    now = 10_000;
    expect(shares.mayWork("many"), "it is gone").toBe(true);
  });

  it("leaves a group the only process of a machine with one processor", () => {
    const shares = new GroupShares({ alone: 1, beside: 1 }, new GroupPresence(() => 0));
    shares.seen("other");
    shares.seen("many");
    expect(shares.mayWork("many")).toBe(true);
    shares.began("many");
    expect(shares.mayWork("many")).toBe(false);
  });
});
