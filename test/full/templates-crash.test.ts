/** kill -9 at every write of a template's way: the name is there whole, or not at all. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { ChaosService } from "../support/chaos.ts";
import { isWrite } from "../support/fail-points.ts";
import { fieldsOf, templatePdf } from "../support/form-pdf.ts";
import { KEYS } from "../support/keys.ts";

let pdf: Uint8Array;
let next: Uint8Array;
beforeAll(async () => {
  pdf = await templatePdf();
  next = await templatePdf({ extra: "comment" });
});

const body = (bytes: Uint8Array) => (): FormData => {
  const form = new FormData();
  form.append("document", new Blob([Buffer.from(bytes)]), "form.pdf");
  return form;
};
const FIELDS = ["applicant.name", "applicant.city", "agreed", "status", "logo"];

const namesOf = (fields: { name: string }[]): string[] => fields.map(({ name }) => name);

/** The fields, once they are detected. */
async function fields(service: ChaosService, name: string): Promise<string[]> {
  for (let round = 0; round < 200; round += 1) {
    const found = await service.call("GET", `/template/metadata/${name}`);
    if (found.length > 0) return namesOf(found);
    await sleep(50);
  }
  throw new Error(`The fields of ${name} were not detected`);
}

async function filled(service: ChaosService, name: string): Promise<Record<string, string>> {
  const response = await fetch(`${service.url}/template/fill/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEYS.one}`, "content-type": "application/json" },
    body: JSON.stringify({ fields: { applicant: { name } } }),
  });
  expect(response.status).toBe(200);
  return fieldsOf(new Uint8Array(await response.arrayBuffer()));
}

const names = async (service: ChaosService): Promise<string[]> => namesOf(await service.call("GET", "/template/list"));

/** One upload without a second try; the service may die meanwhile. */
async function uploadOnce(service: ChaosService, name: string, bytes: Uint8Array, query = ""): Promise<void> {
  const headers = { authorization: `Bearer ${KEYS.one}` };
  await fetch(`${service.url}/template/${name}${query}`, { method: "POST", headers, body: body(bytes)() }).catch(
    () => undefined,
  );
}

/** The moments between writes of a piece of work, its last one included. */
async function pointsOf(service: ChaosService, work: () => Promise<unknown>): Promise<string[]> {
  await service.arm();
  await work();
  // The last writes come after the answer that a caller waits for.
  await sleep(500);
  const writes = (await service.calls()).filter(isWrite);
  return [...new Set([...writes.map((call) => `${call}:before`), `${writes.at(-1)}:after`])];
}

describe("a template survives kill -9", { timeout: 600_000 }, () => {
  it("before every write of its upload and its detection", async () => {
    await using service = new ChaosService();
    const points = await pointsOf(service, async () => {
      await uploadOnce(service, "undisturbed", pdf);
      await fields(service, "undisturbed");
    });
    expect(points.length).toBeGreaterThan(6);
    for (const [at, point] of points.entries()) {
      const name = `point-${at}`;
      await service.arm(point);
      await uploadOnce(service, name, pdf);
      // Work of the queue may be under way when the answer is there.
      if (service.alive && (await names(service)).includes(name)) await fields(service, name);
      await service.up();
      const isThere = (await names(service)).includes(name);
      if (!isThere) {
        const left = await fetch(`${service.url}/template/${name}/revisions`, {
          headers: { authorization: `Bearer ${KEYS.one}` },
        });
        expect([point, left.status]).toEqual([point, 404]);
        await uploadOnce(service, name, pdf);
      }
      expect([point, await fields(service, name)]).toEqual([point, FIELDS]);
      expect([point, await service.call("GET", `/template/${name}/revisions`)]).toMatchObject([
        point,
        [{ revision: 1 }],
      ]);
      expect([point, (await filled(service, name))["applicant.name"]]).toEqual([point, name]);
    }
    console.log(`${points.length} kills`);
  });

  it("in an upload that its caller repeats: it is stored once", async () => {
    await using service = new ChaosService();
    const upload = (name: string) =>
      service.call("POST", `/template/${name}`, { body: body(pdf), headers: { "idempotency-key": name } });
    const points = await pointsOf(service, () => upload("undisturbed"));
    for (const [at, point] of points.entries()) {
      await service.arm(point);
      await upload(`point-${at}`);
      expect([point, await fields(service, `point-${at}`)]).toEqual([point, FIELDS]);
      expect(await service.call("GET", `/template/point-${at}/revisions`)).toHaveLength(1);
    }
  });

  it("in the upload of its next revision, which is there whole or not at all", async () => {
    await using service = new ChaosService();
    await service.up();
    await uploadOnce(service, "one", pdf);
    const points = await pointsOf(service, () => uploadOnce(service, "one", next, "?replace=true"));
    await service.call("DELETE", "/compat/template/one");
    for (const [at, point] of points.entries()) {
      const name = `point-${at}`;
      await uploadOnce(service, name, pdf);
      await fields(service, name);
      await service.arm(point);
      await uploadOnce(service, name, next, "?replace=true");
      await service.up();
      const revisions: { revision: number }[] = await service.call("GET", `/template/${name}/revisions`);
      const expected = revisions.length === 1 ? FIELDS : [...FIELDS, "comment"];
      expect([point, await fields(service, name)]).toEqual([point, expected]);
      expect(revisions.map(({ revision }) => revision)).toEqual(revisions.length === 1 ? [1] : [2, 1]);
    }
  });

  it("in its deletion, which ends after the next start", async () => {
    await using service = new ChaosService();
    const remove = (name: string) => service.call("DELETE", `/compat/template/${name}`).catch(() => undefined);
    await service.up();
    await uploadOnce(service, "undisturbed", pdf);
    await fields(service, "undisturbed");
    const points = await pointsOf(service, () => remove("undisturbed"));
    for (const [at, point] of points.entries()) {
      const name = `point-${at}`;
      await uploadOnce(service, name, pdf);
      await fields(service, name);
      await service.arm(point);
      await remove(name);
      // Files and records are deleted after the answer.
      for (let waited = 0; service.alive && waited < 1_500; waited += 20) await sleep(20);
      await service.up();
      expect(await names(service)).not.toContain(name);
      await uploadOnce(service, name, next);
      expect([point, await fields(service, name)]).toEqual([point, [...FIELDS, "comment"]]);
    }
  });
});
