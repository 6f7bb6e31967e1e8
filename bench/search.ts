/**
 * Search in a knowledge base. First the size: documents set by our own code are indexed as the service does it, and
 * searched in the thread beside the service's own (one machine) and in a process' own (cloud, without the network). Then
 * the quality: questions made from the corpus' own sentences must find their passage among the first five.
 * `npm run bench -- search [--documents N] [--pages N] [--searches N] [--corpus DIR] [--verbose]`: default 200 documents of
 * 50 pages, 300 searches.
 */
import { measureQuality } from "./search/quality.ts";
import { measureSize } from "./search/size.ts";
import { requireAll } from "./support/holds.ts";

export async function run(args: string[]): Promise<void> {
  const size = await measureSize(args);
  requireAll([...size, ...(await measureQuality(args))]);
}
