/** No secret stands in the working tree, and planted ones are found in files and in the history. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ALLOWED_SECRETS } from "../../.ci/supply-chain/secret-allowlist.ts";
import {
  describeSecrets,
  entropyOf,
  secretsIn,
  secretsInHistory,
  secretsInTree,
} from "../../.ci/supply-chain/secrets.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const isRepository = existsSync(join(ROOT, ".git"));
if (!isRepository) console.warn("SKIPPED: secrets of the working tree, which is no git repository here");

/** Joined at run time, so that this file holds none. */
const planted = (...parts: string[]): string => parts.join("");
const LETTERS = "q7Rz0pLw9XbT2vKd8NfY4sHm6JcG1aEu";
const SECRETS: [kind: string, text: string][] = [
  ["private key", planted("-----BEGIN RSA ", "PRIVATE KEY-----\n", LETTERS, LETTERS)],
  ["AWS access key", planted("AKI", "AQ7RZ0PLW9XBT2VKD")],
  ["GitHub token", planted("gh", "p_", LETTERS, "abcd")],
  ["npm token", planted("np", "m_", LETTERS, "abcd")],
  ["model key", planted("s", "k-proj-", LETTERS)],
  ["payment key", planted("sk_", "live_", LETTERS)],
  ["Google key", planted("AI", "za", LETTERS, "abc")],
  ["Slack token", planted("xo", "xb-", LETTERS)],
  ["webhook secret", planted("whs", "ec_", LETTERS)],
  ["issued API key", planted("sheaf", "_1_k1k2k3k4_", LETTERS)],
  ["web token", planted("ey", "J", LETTERS, ".ey", "J", LETTERS, ".", LETTERS)],
  ["password in an address", planted("postgres://me:", "pa55word@db.example.com/x")],
  ["assigned secret", planted('const apiKey = "', LETTERS, '";')],
  ["assigned secret", planted('"db_password": "', LETTERS, '"')],
];

describe("The working tree", () => {
  it.skipIf(!isRepository)("has no secret, and each allowed text is there", () => {
    const found = secretsInTree(ROOT);
    expect(describeSecrets(found, ALLOWED_SECRETS)).toEqual([]);
    const unused = ALLOWED_SECRETS.filter(
      ({ fingerprint, gone }) => gone !== true && !found.some((one) => one.fingerprint === fingerprint),
    );
    expect(unused).toEqual([]);
  });
});

describe("secretsIn", () => {
  it.each(SECRETS)("finds a planted %s, and does not show it", (kind, text) => {
    const found = secretsIn("file.ts", `first line\n${text}\n`);
    expect(found).toContainEqual({
      path: "file.ts",
      line: 2,
      kind,
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    const [sentence = ""] = describeSecrets(found, []);
    expect(sentence).toMatch(/^file\.ts:2: looks like a secret/);
    expect(sentence).not.toContain(LETTERS);
  });

  it.each([
    'const token = "a-long-name-of-words-only";',
    `const apiKey = "${"$"}{process.env.KEY_FROM_ENVIRONMENT_1}";`,
    'password: "<your password goes here 1>"',
    'secretArn: "aaaaaaaaaaaaaaaaaaa1"',
    "https://example.com/path:with@sign",
  ])("takes %j for no secret", (text) => {
    expect(secretsIn("file.ts", text)).toEqual([]);
  });

  it("measures the bits of a character", () => {
    expect(entropyOf("aaaa")).toBe(0);
    expect(entropyOf("abab")).toBe(1);
    expect(entropyOf(LETTERS)).toBe(5);
  });
});

describe("secretsInHistory", () => {
  it("finds a secret that a later commit removed", () => {
    const root = mkdtempSync(join(tmpdir(), "sheaf-secrets-"));
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
        cwd: root,
        stdio: "ignore",
      });
    try {
      git("init");
      const secret = planted("gh", "p_", LETTERS, "abcd");
      writeFileSync(join(root, "a.txt"), `one\n${secret}\n`);
      expect(secretsInTree(root)).toMatchObject([{ path: "a.txt", line: 2, kind: "GitHub token" }]);
      git("add", ".");
      git("commit", "-m", "Add");
      writeFileSync(join(root, "a.txt"), "one\n");
      git("commit", "-am", "Remove");
      expect(secretsInTree(root)).toEqual([]);
      expect(secretsInHistory(root)).toMatchObject([{ path: expect.stringMatching(/^[0-9a-f]+:a\.txt$/) }]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
