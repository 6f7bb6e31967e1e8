/** The tasks of each Lambda function that works on documents itself: those that its step can ask for. */
import { basename } from "node:path";
import { filesBelow, importsOf, loadedBy, sourceOf } from "../support/import-graph.ts";
import { WRITTEN_BY } from "./written-by.ts";

const HANDLERS = "bin/cloud/handlers";
const FOLDER = "bin/cloud/tasks";
const TASKS = "functions/engine/tasks";
/** Biome's. */
const LINE_WIDTH = 120;

/** Files that define a task, whatever their name. */
export const definingFiles = (): string[] => filesBelow(TASKS).filter((file) => /= defineTask\(/.test(sourceOf(file)));

/** The tasks that a function's step can ask for, by the names of their files, sorted. */
export function askedBy(handler: string, defining: ReadonlySet<string>): string[] {
  const steps = importsOf(handler).filter(({ target }) => target.startsWith("functions/steps/"));
  const asked = steps.flatMap(({ target }) => [...loadedBy(target)]).filter((file) => defining.has(file));
  return [...new Set(asked)].map((file) => basename(file, ".ts")).sort();
}

const variableOf = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function textOf(handler: string, tasks: readonly string[]): string {
  const imports = tasks.map((one) => `import { run as ${variableOf(one)} } from "../../../${TASKS}/${one}.run.ts";\n`);
  const names = tasks.map(variableOf);
  const short = `export const TASKS = [${names.join(", ")}];`;
  const list =
    short.length <= LINE_WIDTH ? short : `export const TASKS = [\n${names.map((one) => `  ${one},\n`).join("")}];`;
  return `/** The tasks that ${handler} can ask for. ${WRITTEN_BY} */\n${imports.join("")}\n${list}\n`;
}

/** A file for each function that works on documents itself. */
export function carriedTasks(): Map<string, string> {
  const defining = new Set(definingFiles());
  const lists = filesBelow(HANDLERS).map((file) => ({ name: basename(file, ".ts"), tasks: askedBy(file, defining) }));
  return new Map(
    lists
      .filter(({ tasks }) => tasks.length > 0)
      .map(({ name, tasks }) => [`${FOLDER}/${name}.ts`, textOf(name, tasks)]),
  );
}

/** Files of functions that carry no tasks any more. */
export const staleTaskLists = (lists: ReadonlyMap<string, string>): string[] =>
  filesBelow(FOLDER).filter((file) => !lists.has(file));
