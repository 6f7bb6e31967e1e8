import { Conflict } from "../../ports/errors.ts";

/**
 * Why the ledger refuses a command. `insufficient`: nothing is available; `overdraft`: only refunds and disputes may
 * take the balance below 0; `exceeds_hold`, `exceeds_grant`: more than the hold or the grant has left.
 */
export type RefusalCode =
  | "invalid_amount"
  | "key_reused"
  | "insufficient"
  | "overdraft"
  | "unknown_hold"
  | "hold_closed"
  | "exceeds_hold"
  | "unknown_grant"
  | "exceeds_grant"
  | "balance_limit";

/** A command that the ledger does not carry out; nothing of it is written. */
export class LedgerRefusal extends Conflict {
  static override readonly name = "LedgerRefusal";
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
