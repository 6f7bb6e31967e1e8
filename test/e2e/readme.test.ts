/** The README's session with curl, run as it is printed: every command's output is what the page says. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { DEFAULT_KEY } from "../../bin/local/config.ts";
import { startTestService } from "../support/service.ts";

const README = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
const session = /```console\n(.*?)```/s.exec(README)?.[1] ?? "";

/** Commands with the output that follows each. */
const steps = session
  .split(/^\$ /m)
  .slice(1)
  .map((step) => {
    const [command = "", ...output] = step.trimEnd().split("\n");
    return { command, output: output.join("\n") };
  });

const hasCurl = ((): boolean => {
  try {
    execFileSync("curl", ["--version"]);
    return true;
  } catch {
    console.warn("SKIPPED: there is no curl here; the README's session was not run");
    return false;
  }
})();

const GUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const folded = (text: string): string =>
  text
    .replaceAll(GUID, "<guid>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .trim();

/** Runs a script in a shell. @returns its standard output */
function shell(script: string, cwd: string): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn("bash", ["-c", script], { cwd, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", failed);
    child.on("close", () => done(text));
  });
}

it.skipIf(!hasCurl)("is a real session", async () => {
  expect(steps.length).toBeGreaterThanOrEqual(7);
  const folder = mkdtempSync(join(tmpdir(), "sheaf-readme-"));
  mkdirSync(join(folder, "demo-output"));
  writeFileSync(join(folder, "demo-output/invoice.pdf"), await drawInvoice());
  writeFileSync(join(folder, "README.md"), README);
  const target = await startTestService({ env: { SHEAF_API_KEYS: `1:${DEFAULT_KEY}:read+write` } });
  let exports = "";
  let guid = "";
  for (const { command, output } of steps) {
    if (command.startsWith("export ")) {
      exports += `${command.replace("http://127.0.0.1:3000", target.url).replace(GUID, guid)}\n`;
      continue;
    }
    const printed = await shell(exports + command, folder);
    guid ||= printed.match(GUID)?.[0] ?? "";
    expect(folded(printed), command).toBe(folded(output));
  }
  await target.close();
  rmSync(folder, { recursive: true });
});
