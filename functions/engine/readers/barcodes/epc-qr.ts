/** The QR code of SEPA credit transfers (European Payments Council, EPC069-12, version 2.1): lines in a fixed order. */
import { isIban } from "../../values/codes.ts";
import { type Payload, payloadOf } from "./payload.ts";
import { isCreditorReference } from "./payment-references.ts";

const MAX_BYTES = 331;
const MAX_NAME_CHARACTERS = 70;
const MAX_REMITTANCE_CHARACTERS = 140;
const MAX_REFERENCE_CHARACTERS = 35;
const MAX_INFORMATION_CHARACTERS = 70;
const BIC_PATTERN = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
const AMOUNT_PATTERN = /^EUR(\d{1,9}(?:\.\d{1,2})?)$/;

function checkHeader(lines: readonly string[], faults: string[]): void {
  const [, version = "", characterSet = "", identification = "", bic = ""] = lines;
  if (version !== "001" && version !== "002") faults.push("The version is neither 001 nor 002");
  if (!/^[1-8]$/.test(characterSet)) faults.push("The character set is not one of 1 to 8");
  if (identification !== "SCT") faults.push("It is not marked as a SEPA credit transfer (SCT)");
  if (bic === "" && version === "001") faults.push("Version 001 needs the bank's BIC");
  if (bic !== "" && !BIC_PATTERN.test(bic)) faults.push("The BIC is not of the form of one");
}

function checkRemittance(reference: string, text: string, information: string, faults: string[]): void {
  if (reference !== "" && text !== "") faults.push("There is a reference and a text, where only one may be");
  if (reference.length > MAX_REFERENCE_CHARACTERS) faults.push("The reference is longer than 35 characters");
  if (/^RF\d{2}/.test(reference) && !isCreditorReference(reference.replaceAll(" ", "")))
    faults.push("The creditor reference fails its check");
  if (text.length > MAX_REMITTANCE_CHARACTERS) faults.push("The text is longer than 140 characters");
  if (information.length > MAX_INFORMATION_CHARACTERS)
    faults.push("The note to the payer is longer than 70 characters");
}

/** Parses a SEPA credit transfer; undefined for other text. The amount is a number of euros. */
export function parseEpc(text: string): Payload | undefined {
  const lines = text.split(/\r?\n|\r/).map((line) => line.trim());
  while (lines.length > 7 && lines.at(-1) === "") lines.pop();
  if (lines[0] !== "BCD" || lines.length < 7) return undefined;
  const at = (index: number): string => lines[index] ?? "";
  const faults: string[] = [];
  checkHeader(lines, faults);
  const [name, iban] = [at(5), at(6).replaceAll(" ", "")];
  if (name === "" || name.length > MAX_NAME_CHARACTERS) faults.push("The name is missing or longer than 70 characters");
  if (!isIban(iban)) faults.push("The IBAN fails its check");
  const amount = AMOUNT_PATTERN.exec(at(7))?.[1];
  if (at(7) !== "" && (amount === undefined || Number(amount) < 0.01))
    faults.push("The amount is not EUR with a number from 0.01 to 999999999.99");
  if (!/^[A-Z0-9]{0,4}$/.test(at(8))) faults.push("The purpose is not a code of up to four characters");
  checkRemittance(at(9), at(10), at(11), faults);
  if (lines.length > 12) faults.push("There are more lines than the code may have");
  if (Buffer.byteLength(text) > MAX_BYTES) faults.push("The code is longer than 331 bytes");
  const fields = {
    version: at(1),
    bic: at(4),
    name,
    iban,
    amount: amount === undefined ? undefined : Number(amount),
    currency: amount === undefined ? undefined : "EUR",
    purpose: at(8),
    reference: at(9),
    text: at(10),
    information: at(11),
  };
  return payloadOf("epc", fields, faults);
}
