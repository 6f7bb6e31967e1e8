/** The saved configuration that a run was asked for by. */
export interface ConfigurationUse {
  name: string;
  /** From 1. */
  revision: number;
}

/** The end of a command's `configuration` that pins a revision. */
export const PINNED = /@([1-9]\d{0,8})$/;

/** Writes a use as commands name it: `invoices@7`. */
export const pinOf = ({ name, revision }: ConfigurationUse): string => `${name}@${revision}`;

/** Reads what `pinOf` writes; undefined for a name without a revision. */
export function readPin(reference: string): ConfigurationUse | undefined {
  const [pin, revision] = PINNED.exec(reference) ?? [];
  return pin === undefined ? undefined : { name: reference.slice(0, -pin.length), revision: Number(revision) };
}
