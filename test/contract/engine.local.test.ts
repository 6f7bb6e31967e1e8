import { expect, it } from "vitest";
import { ENGINE_PROCESS, openServiceBundle } from "../../bin/local/service-bundle.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openEngine } from "../../functions/adapters/local/engine.ts";
import { engineSuite } from "./engine.suite.ts";

const clock = systemClock();
const opened = await openServiceBundle();

it("the code of the document processes can be bundled", () => {
  expect(opened.fault).toBeUndefined();
});

engineSuite("pooled processes from their bundle", {
  clock,
  jobTimeoutSeconds: 300,
  open: () => {
    const bundled = opened.bundle?.fileOf(ENGINE_PROCESS);
    return openEngine({ size: 2, clock, jobTimeoutSeconds: 300, ...(bundled === undefined ? {} : { bundled }) });
  },
});

engineSuite("pooled processes from the sources", {
  clock,
  jobTimeoutSeconds: 300,
  open: () => openEngine({ size: 1, clock, jobTimeoutSeconds: 300 }),
});
