/** Slots: limits of concurrent work, by name, over all processes of a deployment. */

export interface Slot {
  /** Frees the slot, at once or after a pause. Repeating it changes nothing. */
  release(pauseMs?: number): Promise<void>;
}

export interface Slots {
  /**
   * Takes one of `most` slots. A holder that dies loses its slot after `seconds`.
   * @returns undefined when no slot is free
   */
  take(name: string, options: { most: number; seconds: number }): Promise<Slot | undefined>;
}
