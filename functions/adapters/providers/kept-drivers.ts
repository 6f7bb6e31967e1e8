/** Drivers that a process keeps, by the settings that they were made with: the least recently used goes first. */

/** Kept drivers: each holds some kilobytes, and a new one only has to learn its server's refusals again. */
const MAX_KEPT_DRIVERS = 200;

export interface DriverKey {
  organizationId: number;
  id: number;
  version: string;
}

export class KeptDrivers<T> {
  readonly #kept = new Map<string, T>();

  get({ organizationId, id, version }: DriverKey, make: () => T): T {
    const key = `${organizationId}/${id}/${version}`;
    const driver = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, driver);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT_DRIVERS && oldest !== undefined) this.#kept.delete(oldest);
    return driver;
  }
}
