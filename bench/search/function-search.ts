/** Times searches in a process of its own: `function-search.ts INDEX QUESTIONS`; prints JSON. */
import { readFileSync } from "node:fs";
import { openPassageIndexes } from "../../functions/adapters/search/open-indexes.ts";
import { questionTerms } from "../../functions/engine/passages/search-terms.ts";
import { timeSearches } from "./size.ts";

const [file = "", asked = ""] = process.argv.slice(2);
const questions = JSON.parse(readFileSync(asked, "utf8")) as string[];
// The vocabulary is not part of the index.
questionTerms("warm up");
const before = process.memoryUsage.rss();
const times = await timeSearches(openPassageIndexes(), file, questions);
console.log(JSON.stringify({ ...times, memoryBytes: Math.max(0, process.memoryUsage.rss() - before) }));
