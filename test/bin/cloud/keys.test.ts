/** The secret of the API keys, as the stack creates it and as operators write it. */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../bin/api-keys.ts";
import { keysOfSecret } from "../../../bin/cloud/keys.ts";

describe("the secret of the API keys", () => {
  it("accepts the value that the stack creates", () => {
    const made = '{"organization":"1","scopes":"read+write","key":"Gq0aB3kT7mXw2LpZ"}';
    expect(keysOfSecret(made)).toEqual([{ organizationId: 1, key: "Gq0aB3kT7mXw2LpZ", scopes: ["read", "write"] }]);
  });

  it("accepts a text as on one machine", () => {
    expect(keysOfSecret("1:key-a-0123456789:read+write, 2:key-b-0123456789:read")).toEqual([
      { organizationId: 1, key: "key-a-0123456789", scopes: ["read", "write"] },
      { organizationId: 2, key: "key-b-0123456789", scopes: ["read"] },
    ]);
  });

  it("accepts one key per line", () => {
    expect(keysOfSecret("\n1:key-a-0123456789:read+write\r\n2:key-b-0123456789:read\n")).toEqual([
      { organizationId: 1, key: "key-a-0123456789", scopes: ["read", "write"] },
      { organizationId: 2, key: "key-b-0123456789", scopes: ["read"] },
    ]);
  });

  it("accepts a list in the stack's form, with scopes as a list", () => {
    const list =
      ' [{"organization":1,"key":"key-a-0123456789","scopes":["read","write"]},{"organization":"2","key":"key-b-0123456789","scopes":"read"}]';
    expect(keysOfSecret(list)).toEqual([
      { organizationId: 1, key: "key-a-0123456789", scopes: ["read", "write"] },
      { organizationId: 2, key: "key-b-0123456789", scopes: ["read"] },
    ]);
  });

  it("refuses a short key by its entry's number, without quoting it", () => {
    const refused = () => keysOfSecret("1:key-a-0123456789:read\n2:short:read");
    expect(refused).toThrow(/entry 2 has a key of fewer than 16 characters/);
    expect(refused).not.toThrow(/short/);
    expect(() => keysOfSecret("1:sheaf-local:read")).toThrow(/entry 1 has a key of fewer/);
  });

  it.each([
    "[]",
    "[null]",
    '["a-secret-key-00001"]',
    '{"key":"a-secret-key-00001"}',
    '{"key":"a-secret-key-00001"',
    "1:a-secret-key-00001:everything",
    "a-secret-key-00001",
    " , ",
  ])("refuses %s without quoting the secret", (text) => {
    const refused = () => keysOfSecret(text);
    expect(refused).toThrow(ConfigError);
    try {
      refused();
    } catch (error) {
      expect(String(error)).not.toContain("a-secret-key-00001");
    }
  });
});
