/** Estimates of what runs may use, for the functions that open runs of callers; the others do not carry them. */
export interface RunEstimates {
  /** @param org an Organization @param job and command of the run, as records have them @returns its most tokens */
  upperBound(org: object, job: object, command: object): Promise<number>;
}
