/**
 * The budget of planning, in elementary operations rather than seconds: planning ends soon for every graph, and gives
 * the same plan on every machine.
 */
export class Effort {
  #spent = 0;
  #limit: number;

  /** @param operations the budget */
  constructor(operations: number) {
    this.#limit = operations;
  }

  spend(operations: number): void {
    this.#spent += operations;
  }

  get spent(): number {
    return this.#spent;
  }

  get isSpent(): boolean {
    return this.#spent >= this.#limit;
  }

  /** Does work with a share (0 to 1) of the remaining budget; unspent operations stay available. */
  withShare<Made>(share: number, work: () => Made): Made {
    const whole = this.#limit;
    this.#limit = this.#spent + Math.max(0, whole - this.#spent) * share;
    const made = work();
    this.#limit = whole;
    return made;
  }

  /** Does the same work for each part in turn, dividing the remaining budget by weight. */
  divideAmong<Part, Made>(parts: readonly Part[], weight: (part: Part) => number, work: (part: Part) => Made): Made[] {
    let weights = parts.reduce((sum, part) => sum + weight(part), 0);
    return parts.map((part) => {
      const own = weight(part);
      const share = weights > 0 ? Math.min(1, own / weights) : 1;
      weights -= own;
      return this.withShare(share, () => work(part));
    });
  }
}
