/** Compares the history of a round with what the service holds after it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosService } from "../chaos.ts";
import { call } from "./client.ts";
import type { ClientJob, History } from "./history.ts";

/** Events listed at once; the API's limit. */
const PAGE = 100;
/** Milliseconds for the delivery of an event that was sent again. */
const MAX_DELIVERY_MS = 30_000;

interface Delivery {
  id: string;
  jobGuid: string;
  run: number;
  status: string;
}

function endFaults({ name, kind, word, guid, processed, end, result }: ClientJob): string[] {
  if (guid === undefined || processed !== true) return [`${name}: never acknowledged`];
  if (end === undefined) return [`${name}: stuck`];
  if (end.status !== "COMPLETED") return [`${name}: ${end.status} (${end.error})`];
  const faults = end.runs === 1 ? [] : [`${name}: ${end.runs} runs`];
  const found = kind === "text" ? String(result).includes(word) : String(result).includes(`"${word}"`);
  return found ? faults : [...faults, `${name}: a wrong result: ${String(result).slice(0, 200)}`];
}

/** Acknowledged jobs must be there as their clients saw them, also after a crash. */
async function lostWrites(service: ChaosService, history: History): Promise<string[]> {
  const faults: string[] = [];
  const look = (path: string) =>
    call(service, history, "GET", path).catch((error: Error) => ({ status: `lost (${error.message})` }));
  for (const { name, guid, end, result } of history.jobs) {
    if (guid === undefined) continue;
    const status = await look(`/job/status/${guid}`);
    if (status.status !== (end?.status ?? status.status) || String(status.status).startsWith("lost")) {
      faults.push(`${name}: was ${end?.status ?? "acknowledged"} and is ${status.status}`);
    } else if (result !== undefined && (await look(`/job/result/${guid}`)) !== result) {
      faults.push(`${name}: has another result than before`);
    }
  }
  const { totalSize } = await call(service, history, "GET", "/job/list?size=1");
  const uploads = history.jobs.filter(({ guid }) => guid !== undefined).length;
  if (totalSize !== uploads) faults.push(`${totalSize} jobs for ${uploads} acknowledged uploads`);
  return faults;
}

async function listDeliveries(service: ChaosService, history: History): Promise<Delivery[]> {
  const all: Delivery[] = [];
  for (;;) {
    const last = all.at(-1);
    const before = last === undefined ? "" : `&before=${last.id}`;
    const page = (await call(
      service,
      history,
      "GET",
      `/settings/webhook/deliveries?size=${PAGE}${before}`,
    )) as Delivery[];
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** Sends the events again whose next try is minutes away, and waits for all. */
async function deliverRest(service: ChaosService, history: History): Promise<void> {
  const end = performance.now() + MAX_DELIVERY_MS;
  const arrived = (id: string): boolean => history.events.some((event) => event.id === id && event.acknowledged);
  for (;;) {
    const open = (await listDeliveries(service, history)).filter(({ id }) => !arrived(id));
    if (open.length === 0 || performance.now() > end) return;
    for (const { id } of open) {
      // A 409: it is being sent at this moment.
      await call(service, history, "POST", `/settings/webhook/deliveries/${id}/replay`).catch(() => undefined);
    }
    await sleep(1_000);
  }
}

/** Every end of a run has one event, which arrived, and no event has two ids. */
async function eventFaults(service: ChaosService, history: History): Promise<string[]> {
  await deliverRest(service, history);
  const faults: string[] = [];
  const deliveries = await listDeliveries(service, history);
  const idsOf = (events: readonly { id: string; jobGuid: string }[], guid: string): Set<string> =>
    new Set(events.filter((event) => event.jobGuid === guid).map(({ id }) => id));
  for (const { name, guid = "", end } of history.jobs) {
    if (end === undefined) continue;
    const [recorded, received] = [idsOf(deliveries, guid), idsOf(history.events, guid)];
    if (recorded.size !== 1) faults.push(`${name}: ${recorded.size} events instead of one`);
    if (received.size !== 1) faults.push(`${name}: the receiver got ${received.size} events instead of one`);
    const [id = ""] = recorded;
    const came = history.events.some((event) => event.id === id && event.acknowledged);
    if (recorded.size === 1 && !came) faults.push(`${name}: its event did not arrive`);
  }
  return faults;
}

/** All violations of a round, as sentences. @param service after a crash and a start */
export async function check(service: ChaosService, history: History): Promise<string[]> {
  return [
    ...history.wrong,
    ...history.jobs.flatMap(endFaults),
    ...(await lostWrites(service, history)),
    ...(await eventFaults(service, history)),
  ];
}
