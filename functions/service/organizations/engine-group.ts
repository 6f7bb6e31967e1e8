/** The engines as one organization uses them: all of its work has its group, in which it takes turns with others'. */
import type { Engine } from "../../ports/engine.ts";
import type { OcrEngine } from "../../ports/ocr.ts";
import type { OfficeProgram } from "../../ports/office-program.ts";
import type { Engines } from "./engines.ts";

/** The fairness key of an organization, for drivers that know no organization. */
export const groupOf = (organizationId: number): string => `organization-${organizationId}`;

const groupedEngine = (engine: Engine, group: string): Engine => ({
  run: (task, payload, limits) => engine.run(task, payload, { ...limits, group }),
  close: () => engine.close(),
});

/** Reads the engine's own members only when they are used: a function without text recognition has none. */
const groupedOcr = (engine: OcrEngine, group: string): OcrEngine =>
  Object.create(engine, {
    recognize: {
      value: ((image, level, limits) =>
        engine.recognize(image, level, { ...limits, group })) satisfies OcrEngine["recognize"],
    },
  });

const groupedOffice = (office: OfficeProgram, group: string): OfficeProgram => ({
  toPdf: (bytes, mimeType, limits) => office.toPdf(bytes, mimeType, { ...limits, group }),
  close: () => office.close(),
});

/** Adds an organization's group to everything that the engines do for it. */
export function enginesOf(engines: Engines, organizationId: number): Engines {
  const group = groupOf(organizationId);
  return {
    ...engines,
    documents: groupedEngine(engines.documents, group),
    ocr: engines.ocr && groupedOcr(engines.ocr, group),
    ...(engines.office === undefined ? {} : { office: groupedOffice(engines.office, group) }),
  };
}
