import { describe, expect, it } from "vitest";
import {
  type Breaker,
  type BreakerState,
  makeBreaker,
  type Passage,
} from "../../../../functions/adapters/openai/circuit-breaker.ts";
import { manualClock } from "../../../support/clock.ts";

function make() {
  const clock = manualClock();
  const states: BreakerState[] = [];
  const breaker = makeBreaker({ clock, failures: 3, openMilliseconds: 1000, onChange: (state) => states.push(state) });
  return { clock, states, breaker };
}

function enter(breaker: Breaker): Passage {
  const passage = breaker.enter();
  if (passage === undefined) throw new Error("it is open");
  return passage;
}

const fail = (breaker: Breaker, times: number): void => {
  for (let calls = 0; calls < times; calls += 1) enter(breaker).failed();
};

describe("makeBreaker", () => {
  it("opens after the given number of consecutive failures, not before and not with a success between", () => {
    const { breaker } = make();
    fail(breaker, 2);
    enter(breaker).succeeded();
    fail(breaker, 2);
    enter(breaker).abandoned();
    expect(breaker.state()).toBe("closed");
    fail(breaker, 1);
    expect(breaker.state()).toBe("open");
    expect(breaker.enter()).toBeUndefined();
  });

  it("lets one trial call pass after the open time, and closes when it succeeds", () => {
    const { breaker, clock, states } = make();
    fail(breaker, 3);
    clock.advance(999);
    expect(breaker.enter()).toBeUndefined();
    clock.advance(1);
    const trial = enter(breaker);
    expect(trial.trial).toBe(true);
    expect(breaker.enter()).toBeUndefined();
    trial.succeeded();
    expect(enter(breaker).trial).toBe(false);
    expect(states).toEqual(["open", "half-open", "closed"]);
    // It counts anew.
    fail(breaker, 2);
    expect(breaker.state()).toBe("closed");
  });

  it("opens again, for as long, when the trial fails", () => {
    const { breaker, clock } = make();
    fail(breaker, 3);
    clock.advance(5000);
    enter(breaker).failed();
    clock.advance(999);
    expect(breaker.enter()).toBeUndefined();
    clock.advance(1);
    expect(enter(breaker).trial).toBe(true);
  });

  it("lets the next call try at once when a trial gave no information", () => {
    const { breaker, clock } = make();
    fail(breaker, 3);
    clock.advance(1000);
    enter(breaker).abandoned();
    expect(enter(breaker).trial).toBe(true);
  });

  it("ignores results of calls from another state, and second results of the same call", () => {
    const { breaker, clock } = make();
    const [early, late, twice] = [enter(breaker), enter(breaker), enter(breaker)];
    twice.failed();
    twice.failed();
    twice.failed();
    expect(breaker.state()).toBe("closed");
    fail(breaker, 2);
    early.succeeded();
    expect(breaker.state()).toBe("open");
    clock.advance(1000);
    const trial = enter(breaker);
    late.failed();
    expect(breaker.state()).toBe("half-open");
    trial.succeeded();
    trial.failed();
    expect(breaker.state()).toBe("closed");
  });
});
