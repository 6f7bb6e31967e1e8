export const KEYS = {
  one: "key-of-organization-one",
  reader: "key-that-only-reads",
  two: "key-of-organization-two",
};

/** The keys of one test file: two organizations, the first also with a read-only key. */
export interface KeySet {
  /** The organization of `one` and `reader`. */
  organizationId: number;
  one: string;
  reader: string;
  two: string;
}

export const LOCAL_KEYS: KeySet = { organizationId: 1, ...KEYS };

/** Sets of keys in the form of a service's setting: `1:key-a:read+write,…`; `two` belongs to the next organization. */
export const namedKeys = (sets: readonly KeySet[]): string =>
  sets
    .map(
      ({ organizationId, one, reader, two }) =>
        `${organizationId}:${one}:read+write+billing+admin,${organizationId}:${reader}:read,${organizationId + 1}:${two}:read+write+billing+admin`,
    )
    .join(",");
