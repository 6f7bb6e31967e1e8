/** Amounts to the cent. */

/** The difference up to which two amounts are one: half a cent, and room for floating point. */
export const CENT = 0.0051;

export const isSameAmount = (a: number, b: number): boolean => Math.abs(a - b) <= CENT;
