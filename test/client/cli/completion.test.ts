/** Completion in shells: bash runs its script. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as pipeline from "../../../bin/pipeline.ts";
import { sheaf } from "./memory-io.ts";

const folder = mkdtempSync(join(tmpdir(), "sheaf-completion-"));
const scriptFor = async (shell: string): Promise<string> => (await sheaf(["completion", shell], {}, [pipeline])).stdout;

beforeAll(() => writeFileSync(join(folder, "invoice.pdf"), ""));
afterAll(() => rmSync(folder, { recursive: true }));

const hasBash = spawnSync("bash", ["--version"]).status === 0;

/** The words that bash offers at the end of each line, all in one process. */
async function offered(lines: readonly string[]): Promise<string[][]> {
  const asked = lines.map((line) => {
    const words = line.split(" ");
    const quoted = words.map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _sheaf; echo "\${COMPREPLY[*]}"`;
  });
  const script = [await scriptFor("bash"), ...asked].join("\n");
  const printed = execFileSync("bash", ["-c", script], { cwd: folder, encoding: "utf8" });
  return printed
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ").filter((word) => word !== ""));
}

describe.skipIf(!hasBash)("completion in bash", () => {
  it("offers commands, their commands and options, the words of an option, and files", async () => {
    const [commands, below, options, words, files, after, globally, none] = await offered([
      "sheaf proc",
      "sheaf cases upl",
      "sheaf process --page",
      "sheaf process invoice.pdf --ocr PRE",
      "sheaf process inv",
      "sheaf --api-url http://x operations pdf-acroform --app",
      "sheaf process --prompt cases --dess",
      "sheaf cases ",
    ]);
    expect(commands).toEqual(["process", "process-map-reduce"]);
    expect(below).toEqual(["upload-document"]);
    expect(options).toEqual(["--page-range"]);
    expect(words).toEqual(["PREMIUM"]);
    expect(files).toEqual(["invoice.pdf"]);
    expect(after).toEqual(["--apply"]);
    expect(globally).toEqual([]);
    expect(none).toEqual(expect.arrayContaining(["list", "get-summary", "--token"]));
    expect(none).not.toContain("invoice.pdf");
  });

  it("takes the value of an option for no command", async () => {
    const [told] = await offered(["sheaf process --prompt list --desc"]);
    expect(told).toEqual(["--describe-figures"]);
  });
});

describe("completion in other shells", () => {
  it("names the same commands and words", async () => {
    const zsh = await scriptFor("zsh");
    expect(zsh).toMatch(/^#compdef sheaf\n/);
    expect(zsh).toContain("'sheaf operations pdf-acroform'");
    const fish = await scriptFor("fish");
    expect(fish).toContain("complete -c sheaf -f -n 'not __fish_seen_subcommand_from configure");
    expect(fish).toMatch(/seen_subcommand_from process'.* -l ocr -x -a 'DEFAULT NONE PREMIUM/);
    expect((await sheaf(["completion", "tcsh"])).exitCode).toBe(2);
  });
});
