import type { Signals } from "./signals.ts";

/** Logits. */
export const BIAS = 1.5;

export const WEIGHTS: Signals = {
  unlocated: -3,
  unsure: -2,
  mismatch: -3,
  doubt: -3,
  repeated: -0.5,
  short: -0.5,
  cut: -0.5,
  label: 1,
  unlabelled: -1,
  rival: -1.5,
  other: -1,
  offRow: -2,
  offColumn: -1,
  shared: -1,
  checksumHolds: 2,
  checksumFails: -2,
  sumHolds: 1.5,
  sumFails: -2,
  orderHolds: 0.2,
  orderFails: -1.5,
  formFails: -1.5,
  schemaFails: -1,
  columnFails: -1.5,
  agrees: 2,
  differs: -2,
  silent: -0.3,
  cell: 0,
};
