/** Check digits and references of payment slips and goods. */

/** Recursive modulo 10 of Swiss references: the carry table (Swiss Implementation Guidelines QR-bill, annex B). */
const MODULO_10_CARRIES = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5] as const;

/** Checks the last digit of a Swiss QR reference of 27 digits. */
export function isQrReference(text: string): boolean {
  if (!/^\d{27}$/.test(text)) return false;
  let carry = 0;
  for (const digit of text.slice(0, -1)) carry = MODULO_10_CARRIES[(carry + Number(digit)) % 10] ?? 0;
  return (10 - carry) % 10 === Number(text.at(-1));
}

/** Checks a creditor reference (`RF18 5390 …` without spaces): 1 modulo 97, like IBANs (ISO 11649). */
export function isCreditorReference(text: string): boolean {
  if (!/^RF\d{2}[A-Z0-9]{1,21}$/.test(text)) return false;
  let remainder = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder === 1;
}

/**
 * Checks the last digit of a GS1 key (GTIN, SSCC, GLN …): weights 3 and 1 from the right, the sum a multiple of ten
 * (GS1 General Specifications, 7.9).
 */
export function hasCheckDigit(digits: string): boolean {
  if (!/^\d{2,}$/.test(digits)) return false;
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
