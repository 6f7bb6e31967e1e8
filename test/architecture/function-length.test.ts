/** Functions fit on a screen. The compiler's own parser counts their lines, comments and signature included. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../support/import-graph.ts";

const MAX_FUNCTION_LINES = 60;
const FOLDERS = ["bin", "lib", "functions", "statemachines", "client"];
/** Longer functions, by `file name`, each with the reason why parts would be harder to read. */
const EXCEPTIONS: Record<string, string> = {};

const FUNCTIONS = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
]);

interface Measured {
  /** `file name`. */
  place: string;
  lines: number;
}

const folder = mkdtempSync(join(tmpdir(), "sheaf-parse-"));
let api: API;
beforeAll(() => {
  api = new API({ cwd: ROOT });
});
afterAll(() => {
  api.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Parses files without reading what they import. */
function parse(include: string[]): SourceFile[] {
  const config = join(folder, "tsconfig.json");
  const compilerOptions = { noLib: true, noResolve: true, types: [], target: "es2024", module: "esnext", noEmit: true };
  writeFileSync(config, JSON.stringify({ compilerOptions, include }));
  using snapshot = api.updateSnapshot({ openProject: config, fileChanges: { changed: [config] } });
  const project = snapshot.getProjects().find(({ configFileName }) => configFileName === config);
  return (project?.rootFiles ?? []).map((file) => {
    const source = project?.program.getSourceFile(file);
    if (source === undefined) throw new Error(`${file} cannot be parsed`);
    return source;
  });
}

function functionsIn(source: SourceFile): Measured[] {
  const found: Measured[] = [];
  const visit = (node: Node): undefined => {
    if (FUNCTIONS.has(node.kind)) {
      const name = (node as { name?: Node }).name?.getText(source) ?? SyntaxKind[node.kind];
      const lines = source.text.slice(node.getStart(source), node.end).split("\n").length;
      found.push({ place: `${relative(ROOT, source.fileName)} ${name}`, lines });
    }
    node.forEachChild(visit);
    return undefined;
  };
  visit(source);
  return found;
}

const tooLong = (all: readonly Measured[]): Measured[] => all.filter(({ lines }) => lines > MAX_FUNCTION_LINES);

it(`Functions have at most ${MAX_FUNCTION_LINES} lines`, () => {
  const all = parse(FOLDERS.map((name) => join(ROOT, name, "**/*"))).flatMap(functionsIn);
  expect(all.length).toBeGreaterThan(5000);
  const long = tooLong(all);
  expect(long.filter(({ place }) => !(place in EXCEPTIONS))).toEqual([]);
  expect(Object.keys(EXCEPTIONS).filter((place) => !long.some((one) => one.place === place))).toEqual([]);
});

it("A function of one line more is found, in all forms", () => {
  const body = (lines: number) => `{${"\n".repeat(lines - 1)}}`;
  const forms = (lines: number) => `
    function declared() ${body(lines)}
    const arrow = () => ${body(lines)};
    class Room { constructor() ${body(lines)} method() ${body(lines)} get value() ${body(lines)} }`;
  const file = join(folder, "forms.ts");
  writeFileSync(file, forms(MAX_FUNCTION_LINES) + forms(MAX_FUNCTION_LINES + 1));
  const found = parse([file]).flatMap(functionsIn);
  expect(found).toHaveLength(10);
  const names = tooLong(found).map(({ place }) => place.split(" ")[1]);
  expect(names).toEqual(["declared", "ArrowFunction", "Constructor", "method", "value"]);
});
