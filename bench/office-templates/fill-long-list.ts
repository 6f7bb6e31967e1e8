/** Fills a long list once, in a process of its own, and prints seconds and the most memory that the process had. */
import { fillExcel } from "../../functions/engine/templates/excel/excel-template.ts";
import { longList, longListWorkbook } from "./long-list-workbook.ts";

const template = longListWorkbook();
const fields = longList(Number(process.argv[2]));
const start = performance.now();
const cpu = process.cpuUsage();
await fillExcel(template, { fields, images: new Map(), flatten: false, missingIsError: false, ignoreUnknown: false });
const { user, system } = process.cpuUsage(cpu);
const seconds = (performance.now() - start) / 1000;
console.log(
  JSON.stringify({
    seconds,
    processor: (user + system) / 1_000_000,
    megabytes: process.resourceUsage().maxRSS / 1_000,
  }),
);
