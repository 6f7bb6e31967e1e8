export const KEYS = {
  one: "key-of-organization-one",
  reader: "key-that-only-reads",
  two: "key-of-organization-two",
};
