/** The ledger's commands. Each is carried out whole or refused, and repeating one changes nothing. */
import { type CaptureCommand, capture } from "./capture.ts";
import { type AdjustmentCommand, adjust, type DebitCommand, debit } from "./debit.ts";
import { type GrantCommand, grant, grantKeyOf, type RefundCommand, refund } from "./grant.ts";
import { type HoldCommand, hold, holdKeyOf } from "./hold.ts";
import type { LedgerDraft } from "./ledger-state.ts";
import { type ReleaseCommand, release } from "./release.ts";

export type LedgerCommand =
  | GrantCommand
  | RefundCommand
  | AdjustmentCommand
  | HoldCommand
  | CaptureCommand
  | ReleaseCommand
  | DebitCommand;

/** Carries out a command on a draft. @throws LedgerRefusal; the draft is unchanged then */
export function applyCommand(draft: LedgerDraft, command: LedgerCommand): void {
  switch (command.kind) {
    case "grant":
      grant(draft, command);
      break;
    case "refund":
      refund(draft, command);
      break;
    case "adjustment":
      adjust(draft, command);
      break;
    case "hold":
      hold(draft, command);
      break;
    case "capture":
      capture(draft, command);
      break;
    case "release":
      release(draft, command);
      break;
    case "debit":
      debit(draft, command);
      break;
  }
}

/** The state that a command reads besides the account. */
export interface CommandReads {
  key?: string;
  hold?: string;
  grant?: string;
}

export function readsOf(command: LedgerCommand): CommandReads {
  switch (command.kind) {
    case "grant":
      return { key: grantKeyOf(command.key), grant: grantKeyOf(command.key) };
    case "refund":
      return { key: `refund/${command.key}`, grant: grantKeyOf(command.grant) };
    case "hold":
      return { key: holdKeyOf(command.id), hold: command.id };
    case "capture":
      return { key: `capture/${command.key}`, hold: command.hold };
    case "release":
      return { hold: command.hold };
    case "adjustment":
    case "debit":
      return { key: `${command.kind}/${command.key}` };
  }
}
