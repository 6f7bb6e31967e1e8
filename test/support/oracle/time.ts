/** Simulated time that advances when everybody waits: then the next sleeper wakes. */
import { setImmediate as turn } from "node:timers/promises";

/**
 * Turns of the event loop without activity after which everybody counts as waiting. Too few would only give another
 * order of events, like a slow machine.
 */
const STILL_TURNS = 6;

export class IdleTime {
  readonly #sleepers: { until: number; wake: () => void }[] = [];
  #now = 0;
  #stirs = 0;

  sleep(seconds: number): Promise<void> {
    this.stir();
    if (seconds === 0) return Promise.resolve();
    return new Promise((wake) => this.#sleepers.push({ until: this.#now + seconds, wake }));
  }

  /** Reports activity. */
  stir(): void {
    this.#stirs += 1;
  }

  /** Advances time until the outcome. */
  async until<Value>(outcome: Promise<Value>): Promise<Value> {
    let over = false;
    const end = () => {
      over = true;
    };
    outcome.then(end, end);
    while (!over) {
      await this.#still(() => over);
      const next = this.#sleepers.sort((a, b) => a.until - b.until).shift();
      if (next === undefined) continue;
      this.#now = next.until;
      next.wake();
    }
    return outcome;
  }

  async #still(isOver: () => boolean): Promise<void> {
    let seen = -1;
    for (let turns = 0; turns < STILL_TURNS && !isOver(); turns += 1) {
      if (seen !== this.#stirs) turns = 0;
      seen = this.#stirs;
      await turn();
    }
  }
}
