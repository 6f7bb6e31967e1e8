/** Those who keep something beside the documents of cases. */
import type { CaseListener } from "../cases/case-events.ts";
import { indexingListener } from "../knowledge/due-indexing.ts";

export const CASE_LISTENERS: readonly CaseListener[] = [indexingListener];
