/**
 * Waiting items by group: groups take turns, least recently served first; first come, first served within a group. So a
 * group with one item waits for at most one item of each other group, however many they have.
 */

/** Most groups whose last turn is remembered; a forgotten one counts as never served. */
const MAX_REMEMBERED_GROUPS = 10_000;

export class FairQueue<T> {
  readonly #waiting = new Map<string, T[]>();
  /** Number of each group's last turn, in the order of turns. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  get size(): number {
    let size = 0;
    for (const items of this.#waiting.values()) size += items.length;
    return size;
  }

  add(group: string, item: T, place: "first" | "last" = "last"): void {
    const items = this.#waiting.get(group);
    if (items === undefined) this.#waiting.set(group, [item]);
    else if (place === "last") items.push(item);
    else items.unshift(item);
  }

  /** Takes the next allowed item; undefined when there is none. */
  take(allowed: { group?: (group: string) => boolean; item?: (item: T) => boolean } = {}): T | undefined {
    const groups = [...this.#waiting.keys()].sort((a, b) => (this.#turns.get(a) ?? 0) - (this.#turns.get(b) ?? 0));
    for (const group of groups) {
      if (allowed.group?.(group) === false) continue;
      const items = this.#waiting.get(group) ?? [];
      const at = allowed.item === undefined ? 0 : items.findIndex(allowed.item);
      if (at < 0) continue;
      const [item] = items.splice(at, 1);
      if (items.length === 0) this.#waiting.delete(group);
      this.#hadTurn(group);
      return item;
    }
    return undefined;
  }

  /** @returns true when the item was waiting */
  remove(item: T): boolean {
    for (const [group, items] of this.#waiting) {
      const at = items.indexOf(item);
      if (at < 0) continue;
      items.splice(at, 1);
      if (items.length === 0) this.#waiting.delete(group);
      return true;
    }
    return false;
  }

  /** Removes and returns all waiting items. */
  clear(): T[] {
    const items = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return items;
  }

  #hadTurn(group: string): void {
    this.#turns.delete(group);
    this.#turns.set(group, ++this.#turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MAX_REMEMBERED_GROUPS && oldest !== undefined) this.#turns.delete(oldest);
  }
}
