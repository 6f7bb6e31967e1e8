/** Finds secrets in files and in the history of the repository. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Forms of secrets. Where a form has a group, the group is the secret, and it must look random. */
const FORMS: Record<string, RegExp> = {
  "private key": /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----\s*(?:\\n)?[A-Za-z0-9+/=\s\\]{40}/g,
  "AWS access key": /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  "GitHub token": /\b(?:gh[opsru]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/g,
  "npm token": /\bnpm_[A-Za-z0-9]{36}\b/g,
  "model key": /\bsk-[A-Za-z0-9_-]{32,}/g,
  "payment key": /\b[rs]k_live_[A-Za-z0-9]{20,}/g,
  "Google key": /\bAIza[A-Za-z0-9_-]{35}\b/g,
  "Slack token": /\bxox[abprs]-[A-Za-z0-9-]{20,}/g,
  "webhook secret": /\bwhsec_[A-Za-z0-9+/=]{24,}/g,
  "issued API key": /\bsheaf_\d{1,15}_[A-Za-z0-9]{8,64}_[A-Za-z0-9-]{16,}/g,
  "web token": /\beyJ[A-Za-z0-9_-]{16,}\.eyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  "password in an address": /\b[a-z][a-z+]{1,12}:\/\/[^\s/:@"'`<>{}$]{1,64}:[^\s/:@"'`<>{}$]{4,64}@[\w-]+\.[\w.-]+/g,
  "assigned secret":
    /(?:secret|token|passw(?:or)?d|credential|api[_-]?key|access[_-]?key|private[_-]?key)\w{0,16}["']?\s{0,4}[:=]\s{0,4}["'`]([^"'`\s]{16,256})["'`]/gi,
};
/** Random letters and digits have more bits a character than words. An assigned text below is no secret. */
const MIN_ENTROPY_BITS = 3.7;
/** Larger files are data. */
const MAX_FILE_BYTES = 2_000_000;
/** The diffs of all commits; more is no source code. */
const MAX_HISTORY_BYTES = 1_000_000_000;
const FINGERPRINT_DIGITS = 16;

export interface Finding {
  path: string;
  /** From 1; 0 in the history. */
  line: number;
  kind: string;
  /** The beginning of the secret's SHA-256, by which an allowlist names it. */
  fingerprint: string;
}

/** A text that looks like a secret and is none. */
export interface Allowed {
  fingerprint: string;
  why: string;
  /** Only the history still has it. */
  gone?: true;
}

/** Shannon's entropy in bits a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** A name, a path, a placeholder or code; secrets have letters and digits mixed. */
const isPlain = (text: string): boolean =>
  !/\d/.test(text) || !/[A-Za-z]/.test(text) || /[${}<>()\\]|\.\.\./.test(text) || entropyOf(text) < MIN_ENTROPY_BITS;

const fingerprintOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, FINGERPRINT_DIGITS);

/** Finds secrets in a text. */
export function secretsIn(path: string, text: string): Finding[] {
  const found: Finding[] = [];
  for (const [kind, form] of Object.entries(FORMS)) {
    for (const match of text.matchAll(form)) {
      const secret = match[1] ?? match[0];
      if (match[1] !== undefined && isPlain(secret)) continue;
      const line = text.slice(0, match.index).split("\n").length;
      found.push({ path, line, kind, fingerprint: fingerprintOf(secret) });
    }
  }
  return found;
}

const git = (root: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: MAX_HISTORY_BYTES });

/** Finds secrets in all files that git knows or would add. */
export function secretsInTree(root: string): Finding[] {
  const paths = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0");
  return [...new Set(paths)].flatMap((path) => {
    const file = join(root, path);
    const status = statSync(file, { throwIfNoEntry: false });
    if (path === "" || status?.isFile() !== true || status.size > MAX_FILE_BYTES) return [];
    // One character a byte, so that binary files are searched too.
    return secretsIn(path, readFileSync(file, "latin1"));
  });
}

/** Finds secrets in the lines that any commit has added. */
export function secretsInHistory(root: string): Finding[] {
  const log = git(
    root,
    "log",
    "--all",
    "-p",
    "-U0",
    "--no-color",
    "--no-ext-diff",
    "--no-renames",
    "--format=commit %h",
  );
  let commit = "";
  let path = "";
  let added: string[] = [];
  const found: Finding[] = [];
  const endFile = (): void => {
    for (const one of secretsIn(path, added.join("\n"))) found.push({ ...one, path: `${commit}:${path}`, line: 0 });
    added = [];
  };
  for (const line of log.split("\n")) {
    if (line.startsWith("+++ ")) path = line.slice("+++ b/".length);
    else if (line.startsWith("+")) added.push(line.slice(1));
    else if (line.startsWith("diff --git ") || line.startsWith("commit ")) {
      endFile();
      commit = /^commit (\w+)$/.exec(line)?.[1] ?? commit;
    }
  }
  endFile();
  return found;
}

/** The findings that no allowlist names, as sentences without the secret. */
export const describeSecrets = (found: readonly Finding[], allowed: readonly Allowed[]): string[] =>
  found
    .filter(({ fingerprint }) => !allowed.some((one) => one.fingerprint === fingerprint))
    .map(
      ({ path, line, kind, fingerprint }) =>
        `${path}${line > 0 ? `:${line}` : ""}: looks like a secret (${kind}, ${fingerprint}); remove it, and revoke it where it is real`,
    );
