/** Process that checks a database: `records-check-process.ts FILE`. Its exit code is the verdict. */
import { constants, setPriority } from "node:os";
import { DAMAGED_EXIT_CODE, isSound } from "./records-check.ts";

try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // Not every system lets a process lower its priority.
}
process.exit(isSound(process.argv[2] ?? "") ? 0 : DAMAGED_EXIT_CODE);
