/** The order of the files of tests: what takes long begins first, so that no processor waits for the last file. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take 5 s or more on two processors, the longest first. Without it a fresh clone, which has no times of
 * an earlier run, begins with the files of most bytes.
 */
export const SLOW_FILES: readonly string[] = [
  "test/e2e/docs/first-steps.test.ts",
  "test/e2e/scans.test.ts",
  "test/functions/adapters/local/pool-life.test.ts",
  "test/functions/service/recognition/async-recognition.test.ts",
  "test/contract/ocr.local.test.ts",
  "test/e2e/containment.test.ts",
  "test/e2e/model.test.ts",
  "test/e2e/map-reduce.test.ts",
  "test/e2e/restart.test.ts",
  "test/e2e/docs/api.test.ts",
  "test/e2e/docs/command-line.test.ts",
  "test/e2e/docs/running.test.ts",
  "test/e2e/organizations.test.ts",
  "test/client/cli/launcher.test.ts",
  "test/functions/steps/map-reduce.test.ts",
  "test/functions/adapters/local/workflows.test.ts",
  "test/e2e/pipelines-model.test.ts",
  "test/functions/adapters/local/pool.test.ts",
  "test/functions/adapters/local/pool-turns.test.ts",
  "test/bin/admin.test.ts",
  "test/e2e/faults.test.ts",
  "test/e2e/min-confidence.test.ts",
  "test/contract/workflows.local.test.ts",
  "test/e2e/webhooks.test.ts",
  "test/e2e/deletion.test.ts",
  "test/functions/adapters/local/ocr/local-ocr.test.ts",
  "test/lib/options.test.ts",
  "test/statemachines/pipeline/proof.test.ts",
  "test/client/wait.test.ts",
  "test/functions/steps/pipeline-nodes.test.ts",
  "test/functions/adapters/local/blobs-crash.test.ts",
  // Of the full suite, those that take a minute and more, though some of their files are small.
  "test/full/billing-crash.test.ts",
  "test/full/pipelines-crash.test.ts",
  "test/full/e2e.dynamodb.test.ts",
  "test/full/schemathesis.test.ts",
  "test/full/ledger.test.ts",
  "test/full/chaos.test.ts",
  "test/full/cases-crash.test.ts",
  "test/full/batches.corpus.test.ts",
  "test/full/formats.corpus.test.ts",
  "test/full/templates-crash.test.ts",
  "test/full/offline-extraction.corpus.test.ts",
  "test/full/long.test.ts",
  "test/full/pipelines.corpus.test.ts",
  "test/full/forms.corpus.test.ts",
];

/** The listed files in their order, then all others as vitest orders them. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const rankOf = ({ moduleId, project }: TestSpecification): number => {
      const at = SLOW_FILES.indexOf(relative(project.config.root, moduleId).replaceAll("\\", "/"));
      return at < 0 ? SLOW_FILES.length : at;
    };
    // Projects keep their places: one that isolates its files comes first.
    const projects = [...new Set(rest.map(({ project }) => project.name))];
    return rest.sort(
      (a, b) => projects.indexOf(a.project.name) - projects.indexOf(b.project.name) || rankOf(a) - rankOf(b),
    );
  }
}
