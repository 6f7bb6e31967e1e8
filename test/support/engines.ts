/** Engines for tests: fakes of single tasks, and one that runs every task in this process. */
import { loadTasks } from "../../functions/adapters/local/load-tasks.ts";
import { acroFormTask } from "../../functions/engine/tasks/acroform.ts";
import { addRowsTask } from "../../functions/engine/tasks/add-rows.ts";
import { analyzeErrorsTask } from "../../functions/engine/tasks/analyze-errors.ts";
import { cellsTask } from "../../functions/engine/tasks/cells.ts";
import { chooseFiguresTask } from "../../functions/engine/tasks/choose-figures.ts";
import { completeTask } from "../../functions/engine/tasks/complete.ts";
import { computeNodeValueTask } from "../../functions/engine/tasks/compute-node-value.ts";
import { concludeDataTask } from "../../functions/engine/tasks/conclude-data.ts";
import { describeTask } from "../../functions/engine/tasks/describe.ts";
import { extractTask } from "../../functions/engine/tasks/extract.ts";
import { extrasTask } from "../../functions/engine/tasks/extras.ts";
import { inspectTask } from "../../functions/engine/tasks/inspect.ts";
import { locateTask } from "../../functions/engine/tasks/locate.ts";
import { measureTask } from "../../functions/engine/tasks/measure.ts";
import { missingRowsTask } from "../../functions/engine/tasks/missing-rows.ts";
import { pageImageTask } from "../../functions/engine/tasks/page-image.ts";
import { pictureTask } from "../../functions/engine/tasks/picture.ts";
import { picturesPdfTask } from "../../functions/engine/tasks/pictures-pdf.ts";
import { planChunksTask } from "../../functions/engine/tasks/plan-chunks.ts";
import { readTask } from "../../functions/engine/tasks/read.ts";
import { readChunkAnswerTask } from "../../functions/engine/tasks/read-chunk-answer.ts";
import { receiptTask } from "../../functions/engine/tasks/receipt.ts";
import { reduceChunkAnswersTask } from "../../functions/engine/tasks/reduce-chunk-answers.ts";
import { templateFieldsTask } from "../../functions/engine/tasks/template-fields.ts";
import { templateFillTask } from "../../functions/engine/tasks/template-fill.ts";
import { templateRequestTask } from "../../functions/engine/tasks/template-request.ts";
import { transcribeTask } from "../../functions/engine/tasks/transcribe.ts";
import { withholdTask } from "../../functions/engine/tasks/withhold.ts";
import type { Engine, Task, TaskInput, TaskOutput } from "../../functions/ports/engine.ts";
import type { WorkLimits } from "../../functions/ports/limits.ts";

/** The tasks that tests fake, by name. */
const TASKS = {
  acroForm: acroFormTask,
  measure: measureTask,
  addRows: addRowsTask,
  analyzeErrors: analyzeErrorsTask,
  cells: cellsTask,
  chooseFigures: chooseFiguresTask,
  complete: completeTask,
  computeNodeValue: computeNodeValueTask,
  concludeData: concludeDataTask,
  describe: describeTask,
  extract: extractTask,
  extras: extrasTask,
  inspect: inspectTask,
  locate: locateTask,
  missingRows: missingRowsTask,
  pageImage: pageImageTask,
  picture: pictureTask,
  picturesPdf: picturesPdfTask,
  planChunks: planChunksTask,
  read: readTask,
  readChunkAnswer: readChunkAnswerTask,
  receipt: receiptTask,
  reduceChunkAnswers: reduceChunkAnswersTask,
  templateFields: templateFieldsTask,
  templateFill: templateFillTask,
  templateRequest: templateRequestTask,
  transcribe: transcribeTask,
  withhold: withholdTask,
} as const;
type Tasks = typeof TASKS;

/** The fake of a task. */
export type FakeOf<T> = (payload: TaskInput<T>, limits: WorkLimits) => Promise<TaskOutput<T>>;
export type Fakes = { [Name in keyof Tasks]?: FakeOf<Tasks[Name]> };

/** An engine of fakes; `rest` does other tasks, or they throw. */
export function fakeEngine(fakes: Fakes, rest?: Engine): Engine {
  const byTask = new Map<string, unknown>();
  for (const [name, fake] of Object.entries(fakes)) byTask.set(TASKS[name as keyof Tasks].name, fake);
  return {
    async run<Input, Output>(task: Task<Input, Output>, payload: Input, limits: WorkLimits): Promise<Output> {
      const fake = byTask.get(task.name) as ((given: Input, within: WorkLimits) => Promise<Output>) | undefined;
      if (fake !== undefined) return fake(payload, limits);
      if (rest === undefined) throw new Error(`No test runs the task ${task.name} here`);
      return rest.run(task, payload, limits);
    },
    close: async () => rest?.close(),
  };
}

/** Runs every task in this process. Copies payloads and answers, as another process would. */
export const directEngine: Engine = {
  async run<Input, Output>(task: Task<Input, Output>, payload: Input): Promise<Output> {
    const runnable = (await loadTasks()).get(task.name);
    if (runnable === undefined) throw new Error(`There is no task ${task.name}`);
    const answer = task.output.safeParse(structuredClone(await runnable.run(structuredClone(payload) as never)));
    if (!answer.success) throw new Error(`Task ${task.name} answered in another shape`);
    return answer.data;
  },
  close: async () => undefined,
};
