/**
 * The most tasks of one group at work. A group that is alone may use every process; beside another group it leaves one
 * processor free, on which the other's next task finds room at once.
 */

/** Milliseconds after its last task that a group counts as there: the tasks of one document come one after another. */
const PRESENT_MS = 1_000;

export class GroupShares {
  readonly #most: number;
  readonly #now: () => number;
  /** Tasks at work and the time of the last change, by group. */
  readonly #groups = new Map<string, { working: number; seenAt: number }>();

  /** @param most tasks of a group that is alone @param now milliseconds since 1970 */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Notes that a group has a task. */
  seen(group: string): void {
    this.#change(group, 0);
  }

  began(group: string): void {
    this.#change(group, 1);
  }

  ended(group: string): void {
    this.#change(group, -1);
  }

  mayWork(group: string): boolean {
    const most = this.#hasOthers(group) ? Math.max(1, this.#most - 1) : this.#most;
    return (this.#groups.get(group)?.working ?? 0) < most;
  }

  #hasOthers(group: string): boolean {
    const since = this.#now() - PRESENT_MS;
    for (const [name, { working, seenAt }] of this.#groups) {
      if (working === 0 && seenAt < since) this.#groups.delete(name);
      else if (name !== group) return true;
    }
    return false;
  }

  #change(group: string, by: number): void {
    const working = (this.#groups.get(group)?.working ?? 0) + by;
    this.#groups.set(group, { working, seenAt: this.#now() });
  }
}
