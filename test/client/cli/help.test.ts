/** The help of every command: its examples, and the options that all commands have. */
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { LOCAL_COMMANDS } from "../../../bin/commands.ts";
import { leafCommands, pathOf } from "../../../client/cli/common-options.ts";
import { EXAMPLES } from "../../../client/cli/examples.ts";
import { buildProgram } from "../../../client/cli/program.ts";
import { sourceOf } from "../../support/import-graph.ts";

/** The whole program; a command that is parsed is noted instead of being run. */
function program(): { program: Command; parsed: string[]; complaints: string[] } {
  const parsed: string[] = [];
  const complaints: string[] = [];
  const output = { writeOut: () => {}, writeErr: (text: string) => void complaints.push(text) };
  const whole = buildProgram(async () => {}, { version: "1.2.3", more: LOCAL_COMMANDS, output });
  whole.hook("preAction", (_program, command) => void parsed.push(pathOf(command)));
  return { program: whole, parsed, complaints };
}

const LEAVES = leafCommands(program().program).map(pathOf);

/** The words of an example after `sheaf`, as a shell passes them. */
function wordsOf(example: string): string[] {
  const command = /(?:^|[|(] ?)sheaf (.*?)(?: [<>] .*|\))?$/.exec(example)?.[1] ?? "";
  const words = command.match(/'[^']*'|[^\s']+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ""));
}

describe("the examples of the help", () => {
  it("are there for every command, and for no other", () => {
    expect(LEAVES.length).toBeGreaterThan(60);
    expect(Object.keys(EXAMPLES).sort()).toEqual([...LEAVES].sort());
  });

  it.each(Object.entries(EXAMPLES))("of %s are read without a complaint", async (path, examples) => {
    for (const example of examples) {
      const { program: fresh, parsed, complaints } = program();
      await fresh.parseAsync(wordsOf(example), { from: "user" }).catch(() => {});
      expect([example, complaints, parsed]).toEqual([example, [], [path]]);
    }
  });
});

describe("the page of the command line", () => {
  const rows = sourceOf("docs/command-line.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));

  it.each(LEAVES)("has %s in its table", (path) => {
    const [first = "", below] = path.split(" ");
    const group = new RegExp(`below \`${first}\`|\`${first}[ \`]`);
    const name = new RegExp(`\`(?:[\\w-]+ )?${below ?? first}[ \`]`);
    expect(rows.some((row) => group.test(row) && name.test(row))).toBe(true);
  });
});

describe("the commands", () => {
  const NAMED = `process process-map-reduce ocr-only wait status result batch
    list-configurations get-configuration save-configuration delete-configuration
    list-templates upload-template template-metadata delete-template fill
    cases:list,create,get,update,delete,upload-document,list-documents,get-document,delete-document,get-summary,list-summaries
    knowledge-base:list,add,get,remove,search
    operations:submit,error-analysis,generative-task,image-select,ocr-correct,pdf-acroform,status,result
    pipeline:check,compile,graph,run,nodes billing:prices,checkout,balance,usage quote
    llm:providers,create,get,update,delete,keys,bind ocr:providers,create,get,update,delete,keys,bind
    eval doctor completion configure`;

  it("have the names that users of the service know", () => {
    const named = NAMED.trim()
      .split(/\s+/)
      .flatMap((entry) => {
        const [group = "", below] = entry.split(":");
        return below === undefined ? [group] : below.split(",").map((name) => `${group} ${name}`);
      });
    expect(named.filter((name) => !LEAVES.includes(name))).toEqual([]);
  });

  const READING = `--prompt --prompt-file --schema --schema-file --mime-type --configuration --ocr --llm --barcodes
    --extraction-mode --describe-figures --extract-figures --tool --timeout --wait --no-wait --trace --page-range
    --pipeline --password --json --output`;
  const OPTIONS: Record<string, string> = {
    process: `${READING} --source-locations`,
    "process-map-reduce": `${READING} --source-locations --pages-per-chunk --overlap --dedup-key --split-type
      --split-header-level --header-page-limit --header-include-in-rows --header-row-prompt-augmentation --header-schema
      --header-schema-file --header-prompt --header-page-index --stop-when-empty --empty-chunk-grace`,
    batch: READING,
    "ocr-only": "--ocr --format --password --json --output --wait --no-wait --timeout",
    "operations pdf-acroform": "--apply --output",
  };

  it.each(Object.entries(OPTIONS))("%s has the options that users of the service know", (path, names) => {
    const command = leafCommands(program().program).find((one) => pathOf(one) === path);
    const known = command?.options.flatMap(({ long, short }) => [long, short]) ?? [];
    expect(names.split(/\s+/).filter((name) => !known.includes(name))).toEqual([]);
  });
});
