/** Room for bodies: a share for each group, turns between groups, and an end to waiting. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { BodyRoom } from "../../../../functions/adapters/local/body-room.ts";
import { ServiceUnavailable, TooManyRequests } from "../../../../functions/ports/errors.ts";

const LIMITS = { bytes: 100, groupBytes: 60, groupWaiting: 2, waitMs: 60 };
const stays = new AbortController().signal;

describe("BodyRoom", () => {
  it("lets bodies in up to the room and each group's share, and holds their bytes", async () => {
    const room = new BodyRoom(LIMITS);
    const leaveOne = await room.enter("one", 60, stays);
    await room.enter("two", 40, stays);
    expect(room.held).toBe(100);
    leaveOne();
    expect(room.held).toBe(40);
  });

  it("refuses a group over its share by 429, and anybody while the room is full by 503, after the wait", async () => {
    const room = new BodyRoom(LIMITS);
    await room.enter("one", 60, stays);
    await expect(room.enter("one", 1, stays)).rejects.toThrow(TooManyRequests);
    await room.enter("two", 40, stays);
    const error = await room.enter("three", 1, stays).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(ServiceUnavailable);
    expect(error).toMatchObject({ retryAfter: 5, message: expect.stringContaining("try again in 5 s") });
    expect(room.held).toBe(100);
  });

  it("lets groups in by turns, so that one that floods does not keep another out", async () => {
    const room = new BodyRoom({ ...LIMITS, groupBytes: 100, waitMs: 1_000 });
    const order: string[] = [];
    const leave = await room.enter("flood", 100, stays);
    const enter = async (group: string): Promise<void> => {
      const left = await room.enter(group, 100, stays);
      order.push(group);
      left();
    };
    const all = [enter("flood"), enter("flood"), enter("other")];
    leave();
    await Promise.all(all);
    expect(order).toEqual(["flood", "other", "flood"]);
    expect(room.held).toBe(0);
  });

  it("refuses at once where too many of a group wait", async () => {
    const room = new BodyRoom(LIMITS);
    await room.enter("one", 60, stays);
    const waiting = [room.enter("one", 10, stays), room.enter("one", 10, stays)].map((one) => one.catch(() => "late"));
    const begun = performance.now();
    await expect(room.enter("one", 10, stays)).rejects.toThrow(/send fewer at once/);
    expect(performance.now() - begun).toBeLessThan(LIMITS.waitMs - 10);
    expect(await Promise.all(waiting)).toEqual(["late", "late"]);
  });

  it("forgets a client that is gone", async () => {
    const room = new BodyRoom({ ...LIMITS, waitMs: 60_000 });
    const leave = await room.enter("one", 60, stays);
    const gone = new AbortController();
    const waiting = room.enter("one", 60, gone.signal);
    gone.abort();
    await expect(waiting).rejects.toThrow(/disconnected/);
    await expect(room.enter("one", 60, AbortSignal.abort())).rejects.toThrow(/disconnected/);
    leave();
    await sleep(1);
    expect(room.held).toBe(0);
  });
});
