export const KEYS = {
  one: "key-of-organization-one",
  reader: "key-that-only-reads",
  two: "key-of-organization-two",
};

/** What one file of tests calls the service with: two organizations, the first with a key that only reads too. */
export interface KeySet {
  /** Of `one` and `reader`. */
  organizationId: number;
  one: string;
  reader: string;
  two: string;
}

export const LOCAL_KEYS: KeySet = { organizationId: 1, ...KEYS };

/** Sets of keys as a service's own setting names them: `1:key-a:read+write,…`; `two` belongs to the next organization. */
export const namedKeys = (sets: readonly KeySet[]): string =>
  sets
    .map(
      ({ organizationId, one, reader, two }) =>
        `${organizationId}:${one}:read+write+admin,${organizationId}:${reader}:read,${organizationId + 1}:${two}:read+write+admin`,
    )
    .join(",");
