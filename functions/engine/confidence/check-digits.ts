/** Check digits of international identifiers. All tests take digits without separators. */

export const digitsOf = (text: string): number[] => [...text].map(Number);

/** The sum of digits, each times its weight. */
export const weightedSum = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * (digits[at] ?? 0), 0);

/** The Luhn formula (ISO/IEC 7812-1, annex B): from the right, every other digit doubled. */
export function passesLuhn(text: string): boolean {
  const sum = digitsOf(text)
    .reverse()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
  return sum % 10 === 0;
}

/** A GTIN of 8, 12, 13 or 14 digits (GS1 General Specifications, 7.9): weights 3 and 1 from the right. */
export function passesGtin(text: string): boolean {
  const sum = digitsOf(text)
    .reverse()
    .reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3), 0);
  return /^(?:\d{8}|\d{12,14})$/.test(text) && sum % 10 === 0;
}

/** Letters as two digits, A = 10 (ISO 13616, ISO 6166). */
export const lettersToDigits = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));

/** The remainder of a number of any length. */
export const remainder = (digits: string, modulus: number): number =>
  [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % modulus, 0);

/** A securities identification number (ISO 6166): Luhn over the letters as digits. */
export const passesIsin = (text: string): boolean =>
  /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text) && passesLuhn(lettersToDigits(text));

/**
 * A creditor reference (ISO 11649): `RF`, two check digits, up to 21 characters; 1 modulo 97 with its first four
 * characters moved to the end.
 */
export const passesCreditorReference = (text: string): boolean =>
  /^RF\d{2}[A-Z0-9]{1,21}$/.test(text) && remainder(lettersToDigits(text.slice(4) + text.slice(0, 4)), 97) === 1;

const QR_REFERENCE_CARRIES = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5];

/** A Swiss QR reference of 27 digits: modulo 10, recursive (SIX, Implementation Guidelines QR-bill, annex B). */
export function passesQrReference(text: string): boolean {
  const carry = digitsOf(text.slice(0, -1)).reduce((rest, digit) => QR_REFERENCE_CARRIES[(rest + digit) % 10] ?? 0, 0);
  return /^\d{27}$/.test(text) && (10 - carry) % 10 === Number(text.at(-1));
}

/** ISO 7064, MOD 11,10: the last digit checks those before it. */
export function passesMod11And10(text: string): boolean {
  let product = 10;
  for (const digit of digitsOf(text.slice(0, -1))) product = (((digit + product) % 10 || 10) * 2) % 11;
  return (11 - product) % 10 === Number(text.at(-1));
}
