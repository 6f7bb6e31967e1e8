import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openEngine } from "../../functions/adapters/local/engine.ts";
import { engineSuite } from "./engine.suite.ts";

const clock = systemClock();

engineSuite("pooled processes", {
  clock,
  jobTimeoutSeconds: 300,
  open: () => openEngine({ size: 2, clock, jobTimeoutSeconds: 300 }),
});
