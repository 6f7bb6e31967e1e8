/** The prompt for the records of a map-reduce run. */
import type { RunCommand } from "../service/runs/run-command.ts";

/** The run's prompt, and that for rows. */
export function recordsPrompt({ prompt, mapReduce }: RunCommand): string | undefined {
  const given = [prompt, mapReduce?.header?.rowPrompt].filter((text) => text !== undefined);
  return given.length === 0 ? undefined : given.join("\n\n");
}
