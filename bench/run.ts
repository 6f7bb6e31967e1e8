/** `npm run bench -- NAME [ARGUMENTS]`: runs bench/NAME.ts with its yardstick. */
import { readdirSync } from "node:fs";

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => file.slice(0, -3))
  .sort();

const [name, ...args] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  process.stderr.write(`npm run bench -- NAME, where NAME is one of: ${names.join(", ")}\n`);
  process.exit(2);
}
const { run } = (await import(`./${name}.ts`)) as { run(args: string[]): Promise<void> };
await run(args);
