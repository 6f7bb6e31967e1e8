/**
 * The most work of one group at once. A group that is alone may have all of it; beside another group it has less, so
 * that the other's next piece of work finds room at once.
 */

/** Milliseconds after its last work that a group counts as there: the steps of one document come one after another. */
const PRESENT_MS = 1_000;

/** The groups that are there; all places where groups share something know them from here. */
export class GroupPresence {
  readonly #now: () => number;
  /** Pieces of work and the time of the last change, by group. */
  readonly #groups = new Map<string, { working: number; seenAt: number }>();

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes that a group has work, and a change of its number of pieces at work. */
  seen(group: string, change = 0): void {
    const working = (this.#groups.get(group)?.working ?? 0) + change;
    this.#groups.set(group, { working, seenAt: this.#now() });
  }

  /** True while another group than this one is there. */
  hasOthers(group: string): boolean {
    const since = this.#now() - PRESENT_MS;
    for (const [name, { working, seenAt }] of this.#groups) {
      if (working === 0 && seenAt < since) this.#groups.delete(name);
      else if (name !== group) return true;
    }
    return false;
  }
}

/** The most pieces of work of one group: of a group that is alone, and beside another one. */
export interface GroupLimit {
  alone: number;
  beside: number;
}

export class GroupShares {
  readonly #most: GroupLimit;
  readonly #presence: GroupPresence;
  readonly #working = new Map<string, number>();

  constructor(most: GroupLimit, presence: GroupPresence) {
    this.#most = most;
    this.#presence = presence;
  }

  /** Notes that a group has work that waits. */
  seen(group: string): void {
    this.#presence.seen(group);
  }

  began(group: string): void {
    this.#change(group, 1);
  }

  ended(group: string): void {
    this.#change(group, -1);
  }

  mayWork(group: string): boolean {
    const most = this.#presence.hasOthers(group) ? this.#most.beside : this.#most.alone;
    return (this.#working.get(group) ?? 0) < most;
  }

  #change(group: string, by: number): void {
    const working = (this.#working.get(group) ?? 0) + by;
    if (working > 0) this.#working.set(group, working);
    else this.#working.delete(group);
    this.#presence.seen(group, by);
  }
}
