/** Texts that look like secrets and are none, by the beginning of their SHA-256. */
import type { Allowed } from "./secrets.ts";

export const ALLOWED_SECRETS: readonly Allowed[] = [
  { fingerprint: "c78d1a038f0fec7a", why: "docs/operations.md shows the form of SHEAF_API_KEYS", gone: true },
  { fingerprint: "96ad2ccd81462a76", why: "published example of the Standard Webhooks specification" },
  { fingerprint: "b982048250b9a389", why: "made up; a test looks for it in logs" },
  { fingerprint: "b439a5d87799f1b1", why: "made up; a key that no service issued" },
  { fingerprint: "8eca3df4339aca4e", why: "a test of the form of SHEAF_API_KEYS", gone: true },
  { fingerprint: "8d3331ee208c72c3", why: "made up; an address that is refused for its password" },
  { fingerprint: "2fd10c8e8ccb6618", why: "AWS's published example of a credential" },
  { fingerprint: "e8a0614b6747a06f", why: "AWS's published example of a credential" },
  { fingerprint: "213215c2316935d6", why: "made up; an address that is refused for its password" },
  { fingerprint: "457643f44d19aed8", why: "made up; a test looks for it in errors" },
  { fingerprint: "0f8ee9d34621c91e", why: "made up; the form of an issued key" },
  { fingerprint: "299202634e524df5", why: "made up; a test looks for it in a trace" },
  { fingerprint: "862815c446074b21", why: "docs/operations.md shows the form of SHEAF_API_KEYS" },
  { fingerprint: "2671841266a8a796", why: "the default key, which opens this machine only" },
  { fingerprint: "4114a3d6c7f16350", why: "a test of the form of SHEAF_API_KEYS" },
  { fingerprint: "42856491ac28ceaa", why: "a test of the form of SHEAF_API_KEYS" },
  { fingerprint: "e5dd819994e05a0f", why: "a test of the form of SHEAF_API_KEYS" },
  { fingerprint: "73a874426b5479cb", why: "a test of the form of SHEAF_API_KEYS" },
  { fingerprint: "ae5ce2702bd31c84", why: "a test of the form of SHEAF_API_KEYS" },
  { fingerprint: "a7f66c581332f9af", why: "a test of the form of SHEAF_API_KEYS" },
  { fingerprint: "4e6f8485bb8f49b1", why: "the name of a Slovak form, which begins with sk-" },
  { fingerprint: "21d728580192cfca", why: "the name of a Slovak form, which begins with sk-" },
];
