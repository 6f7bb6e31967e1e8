/**
 * `npm run supply-chain`: all checks of what comes into the project. The audit needs a registry; the others need no
 * network. Writes the list of parts for a build's artefacts. `--write-notice` writes NOTICE instead.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { audit } from "./audit.ts";
import { checkLicences, noticeOf } from "./licences.ts";
import { type Lockfile, lintLockfile, type Project } from "./lockfile.ts";
import { checkSbom, makeSbom } from "./sbom.ts";
import { ALLOWED_SECRETS } from "./secret-allowlist.ts";
import { describeSecrets, type Finding, secretsInHistory, secretsInTree } from "./secrets.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const NOTICE = join(ROOT, "NOTICE");
const SBOM = join(ROOT, "node_modules/.cache/sheaf/sbom.cdx.json");

const readJson = <T>(name: string): T => JSON.parse(readFileSync(join(ROOT, name), "utf8"));
const project = readJson<Project>("package.json");
const lock = readJson<Lockfile>("package-lock.json");

function checkNotice(): string[] {
  const isCurrent = readFileSync(NOTICE, "utf8") === noticeOf(lock);
  return isCurrent ? [] : ["NOTICE is not up to date; run npm run supply-chain -- --write-notice"];
}

/** Writes the list of parts, so that it is there also when a check fails. */
function writeSbom(): string[] {
  const sbom = makeSbom(project, lock);
  mkdirSync(dirname(SBOM), { recursive: true });
  writeFileSync(SBOM, `${JSON.stringify(sbom, null, 2)}\n`);
  return checkSbom(sbom, lock);
}

/** Without a repository, such as in an unpacked archive, there is nothing to list files or commits by. */
function searchSecrets(search: (root: string) => Finding[]): string[] {
  if (existsSync(join(ROOT, ".git"))) return describeSecrets(search(ROOT), ALLOWED_SECRETS);
  console.log("SKIPPED: no git repository to search for secrets");
  return [];
}

function runAll(): boolean {
  const checks: [name: string, check: () => string[]][] = [
    ["lockfile", () => lintLockfile(lock, project)],
    ["licences", () => checkLicences(lock).found],
    ["NOTICE", checkNotice],
    ["parts (node_modules/.cache/sheaf/sbom.cdx.json)", writeSbom],
    ["secrets in files", () => searchSecrets(secretsInTree)],
    ["secrets in the history", () => searchSecrets(secretsInHistory)],
  ];
  let passed = true;
  for (const [name, check] of checks) {
    const found = check();
    console.log(found.length === 0 ? `${name}: passed` : `${name}: FAILED\n  ${found.join("\n  ")}`);
    if (found.length > 0) passed = false;
  }
  const { verdict, sentence } = audit();
  console.log(sentence);
  return passed && verdict !== "failed";
}

if (process.argv.includes("--write-notice")) writeFileSync(NOTICE, noticeOf(lock));
else process.exitCode = runAll() ? 0 : 1;
