/** The tests of test files, read from their source by the compiler's own parser. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallExpression, type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";
import { ROOT } from "../support/doc-pages.ts";

export interface TestTitle {
  /** `title > title`, as written: with the placeholders of `it.each` and of template texts. */
  title: string;
  /** Switched off by `skip`, `todo` or `fails`. */
  skipped: boolean;
}

const OFF = new Set(["skip", "todo", "fails"]);

/** `it.skipIf(x).each(y)("…")` → `it`, [`skipIf`, `each`]. */
function calleeOf(call: CallExpression): { name: string; modifiers: string[] } | undefined {
  const modifiers: string[] = [];
  let node: Node = call.expression;
  for (;;) {
    if (node.kind === SyntaxKind.Identifier) return { name: node.getText(), modifiers };
    const { expression, tag, name } = node as { expression?: Node; tag?: Node; name?: Node };
    if (node.kind === SyntaxKind.PropertyAccessExpression && name !== undefined) modifiers.push(name.getText());
    const inner = tag ?? expression;
    if (inner === undefined) return undefined;
    node = inner;
  }
}

/** A literal's text; a template's with its `${…}`. */
function textOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  const written = node.getText();
  if (node.kind === SyntaxKind.StringLiteral || node.kind === SyntaxKind.NoSubstitutionTemplateLiteral) {
    return (node as Node & { text: string }).text;
  }
  return node.kind === SyntaxKind.TemplateExpression ? written.slice(1, -1) : undefined;
}

function titlesIn(source: SourceFile): TestTitle[] {
  const found: TestTitle[] = [];
  const visit = (node: Node, outer: readonly string[], off: boolean): void => {
    if (node.kind === SyntaxKind.CallExpression) {
      const call = node as CallExpression;
      const callee = calleeOf(call);
      const title = textOf(call.arguments[0]);
      const own = callee !== undefined && title !== undefined && call.arguments.length > 1 ? callee.name : "";
      const skipped = off || (callee?.modifiers.some((one) => OFF.has(one)) ?? false);
      if ((own === "it" || own === "test") && title !== undefined) {
        found.push({ title: [...outer, title].join(" > "), skipped });
      } else if (own === "describe" && title !== undefined) {
        node.forEachChild((child) => visit(child, [...outer, title], skipped));
        return;
      }
    }
    node.forEachChild((child) => visit(child, outer, off));
  };
  visit(source, [], false);
  return found;
}

/**
 * The tests of each file.
 * @param files absolute paths
 */
export function readTestTitles(files: readonly string[]): Map<string, TestTitle[]> {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-titles-"));
  const api = new API({ cwd: ROOT });
  try {
    const config = join(folder, "tsconfig.json");
    const compilerOptions = { noLib: true, noResolve: true, types: [], target: "es2024", module: "esnext" };
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, files }));
    using snapshot = api.updateSnapshot({ openProject: config, fileChanges: { changed: [config] } });
    const project = snapshot.getProjects().find(({ configFileName }) => configFileName === config);
    return new Map(
      files.map((file) => {
        const source = project?.program.getSourceFile(file);
        if (source === undefined) throw new Error(`${file} cannot be parsed`);
        return [file, titlesIn(source)];
      }),
    );
  } finally {
    api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
