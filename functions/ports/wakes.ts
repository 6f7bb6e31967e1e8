/** Wakes those who wait for something that happens in the same process. A deployment of many processes has none. */
export interface Wakes {
  /** Wakes all who watch this name. */
  wake(name: string): void;
  /** Begins to watch a name: a wake from now on ends the wait. */
  watch(name: string): Watch;
}

export interface Watch {
  /** Resolves at the first wake since the watch began, or after this time. */
  within(milliseconds: number): Promise<void>;
  close(): void;
}
