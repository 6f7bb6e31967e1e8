/** The search in knowledge bases, in a file of its own: only the bundles that name it carry it. */
import { openPassageIndexes } from "../../functions/adapters/search/open-indexes.ts";
import { lazily } from "./environment.ts";

/** The indexes that the function has open, for all of its invocations. */
export const passages = lazily(openPassageIndexes);
