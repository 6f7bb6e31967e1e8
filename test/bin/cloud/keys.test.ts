/** The secret of the API keys, as the stack creates it and as operators write it. */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../bin/api-keys.ts";
import { keysOfSecret } from "../../../bin/cloud/keys.ts";

describe("the secret of the API keys", () => {
  it("accepts the value that the stack creates", () => {
    const made = '{"organization":"1","scopes":"read+write","key":"Gq0aB3"}';
    expect(keysOfSecret(made)).toEqual([{ organizationId: 1, key: "Gq0aB3", scopes: ["read", "write"] }]);
  });

  it("accepts a text as on one machine", () => {
    expect(keysOfSecret("1:key-a:read+write, 2:key-b:read")).toEqual([
      { organizationId: 1, key: "key-a", scopes: ["read", "write"] },
      { organizationId: 2, key: "key-b", scopes: ["read"] },
    ]);
  });

  it("accepts one key per line", () => {
    expect(keysOfSecret("\n1:key-a:read+write\r\n2:key-b:read\n")).toEqual([
      { organizationId: 1, key: "key-a", scopes: ["read", "write"] },
      { organizationId: 2, key: "key-b", scopes: ["read"] },
    ]);
  });

  it("accepts a list in the stack's form, with scopes as a list", () => {
    const list =
      ' [{"organization":1,"key":"key-a","scopes":["read","write"]},{"organization":"2","key":"key-b","scopes":"read"}]';
    expect(keysOfSecret(list)).toEqual([
      { organizationId: 1, key: "key-a", scopes: ["read", "write"] },
      { organizationId: 2, key: "key-b", scopes: ["read"] },
    ]);
  });

  it.each([
    "[]",
    "[null]",
    '["a-secret-key"]',
    '{"key":"a-secret-key"}',
    '{"key":"a-secret-key"',
    "1:a-secret-key:everything",
    "a-secret-key",
    " , ",
  ])("refuses %s without quoting the secret", (text) => {
    const refused = () => keysOfSecret(text);
    expect(refused).toThrow(ConfigError);
    try {
      refused();
    } catch (error) {
      expect(String(error)).not.toContain("a-secret-key");
    }
  });
});
