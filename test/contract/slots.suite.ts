/** The contract of Slots. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../functions/ports/clock.ts";
import type { Slot, Slots } from "../../functions/ports/slots.ts";
import { manualClock } from "../support/clock.ts";

export interface SlotsMaker {
  name: string;
  make(clock: Clock): { slots: Slots; close(): void };
}

const isSlot = (slot: Slot | undefined): slot is Slot => slot !== undefined;

export function slotsSuite({ name, make }: SlotsMaker): void {
  describe(`Slots: ${name}`, () => {
    const limit = { most: 3, seconds: 10 };
    let clock: ReturnType<typeof manualClock>;
    let made: ReturnType<SlotsMaker["make"]>;
    beforeEach(() => {
      clock = manualClock();
      made = make(clock);
    });
    afterEach(() => made.close());
    const take = (one = "a"): Promise<Slot | undefined> => made.slots.take(one, limit);

    it("Slots.take gives as many slots of a name as there are, also concurrently", async () => {
      const taken = (await Promise.all(Array.from({ length: 3 }, () => take()))).filter(isSlot);
      while (taken.length < 3) taken.push(...[await take()].filter(isSlot));
      expect(await take()).toBeUndefined();
      expect(await take("b")).toBeDefined();
    });

    it("Slot.release frees the slot once", async () => {
      const [one] = [await take(), await take(), await take()];
      await one?.release();
      await one?.release();
      expect(await take()).toBeDefined();
      expect(await take()).toBeUndefined();
      await one?.release();
      expect(await take()).toBeUndefined();
    });

    it("Slot.release keeps the slot for its pause", async () => {
      const [one] = [await take(), await take(), await take()];
      await one?.release(5_000);
      clock.advance(4_000);
      expect(await take()).toBeUndefined();
      clock.advance(1_001);
      expect(await take()).toBeDefined();
      expect(await take()).toBeUndefined();
    });

    it("Slots.take takes over the slots of holders that died; their late release frees nothing", async () => {
      const [one] = [await take(), await take(), await take()];
      clock.advance(10_001);
      const later = [await take(), await take(), await take()];
      expect(later.filter(isSlot)).toHaveLength(3);
      await one?.release();
      expect(await take()).toBeUndefined();
    });
  });
}
