/**
 * Requests of every kind that the OpenAPI document allows and forbids, to the whole service.
 * `npm run bench -- fuzz [--seconds 300] [--mode plain|stateful]`; without a mode both, one after the other.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { drawInvoice } from "../bin/demo/invoice.ts";
import { SheafClient } from "../client/index.ts";
import { type FuzzOptions, fuzz, REQUIREMENT } from "./fuzz/schemathesis.ts";
import { noneFound, requireAll } from "./support/holds.ts";
import { startLocalService } from "./support/local-service.ts";
import { numberOf, optionOf } from "./support/options.ts";

const KEY = "bench-fuzz-key-of-the-service";
const MODES = ["plain", "stateful"] as const;
const EXAMPLES_PER_OPERATION = 1_000;

/** The Python of a virtual environment with the tool, which stays for the next time. */
function installTool(): string {
  const home = resolve(import.meta.dirname, "../node_modules/.cache/sheaf/fuzz", REQUIREMENT);
  const python = join(home, "bin", "python");
  if (existsSync(join(home, "bin", "schemathesis"))) return python;
  execFileSync("python3", ["-m", "venv", home]);
  execFileSync(python, ["-m", "pip", "install", "--quiet", REQUIREMENT], { stdio: "inherit" });
  return python;
}

async function measure(python: string, mode: FuzzOptions["mode"], seconds: number): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-fuzz-"));
  const { child, url } = await startLocalService(dataDir, `1:${KEY}:read+write+admin`);
  try {
    const client = new SheafClient({ apiUrl: url, token: KEY });
    const { guid } = await client.upload(await drawInvoice(), { fileName: "invoice.pdf" });
    await client.process(guid, { sourceLocations: true });
    await client.wait(guid);
    const { guid: deletable } = await client.upload(Buffer.from("Delete me"), { fileName: "a.txt" });
    const target = { url, key: KEY, guid, deletable };
    const { sent, tested, failures, rejections } = await fuzz(python, target, {
      mode,
      seconds,
      examples: EXAMPLES_PER_OPERATION,
    });
    process.stdout.write(`${mode}: ${sent} requests to ${tested} operations in ${seconds} s\n`);
    for (const one of failures) process.stdout.write(`  ${one}\n`);
    for (const one of rejections) process.stdout.write(`  explained: ${one}\n`);
    return failures;
  } finally {
    child.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export async function run(args: string[]): Promise<void> {
  const seconds = numberOf(args, "--seconds", 300);
  const wish = optionOf(args, "--mode");
  const modes = MODES.filter((mode) => wish === undefined || mode === wish);
  if (modes.length === 0) throw new RangeError("--mode must be plain or stateful");
  const python = installTool();
  const found: { mode: string; failures: string[] }[] = [];
  for (const mode of modes) found.push({ mode, failures: await measure(python, mode, seconds) });
  requireAll(
    found.map(({ mode, failures }) => noneFound(`${mode}: answers that do not fit the document`, failures.length)),
  );
}
