import { FairQueue } from "../fair-queue.ts";

/** Runs at most `atOnce` pieces of work at a time; the others wait, and groups take turns. */
export class Turns {
  readonly #waiting = new FairQueue<() => void>();
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async take<T>(group: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.add(group, resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.take();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
