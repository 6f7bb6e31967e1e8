/** Those who keep something beside the documents of cases. */
import type { CaseListener } from "../cases/case-events.ts";

export const CASE_LISTENERS: readonly CaseListener[] = [];
