import { pagesToCorrect } from "../ocr/correction/correct-document.ts";
import { implementTask } from "./define-task.ts";
import { pagesToCorrectTask } from "./pages-to-correct.ts";
import { parseText } from "./recognised-text.ts";

export const run = implementTask(pagesToCorrectTask, (payload) => pagesToCorrect(parseText(payload)));
