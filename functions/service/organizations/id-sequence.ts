/** Integer ids of the API. Each organization counts each kind of object separately. */
import type { RecordValue } from "../../ports/records.ts";
import type { Organization } from "./organization.ts";

interface Counter extends RecordValue {
  last: number;
}

/** The next id of a kind, from 1. Unused ids leave gaps; an id is never given twice. */
export async function nextId({ records }: Organization, kind: string): Promise<number> {
  const { last } = await records.add<Counter>({ partition: "ids", sort: kind }, { last: 1 });
  return last;
}
