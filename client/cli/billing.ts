/** `sheaf billing prices|checkout|balance|usage`: the organization's prepaid tokens. */
import { type Command, InvalidArgumentError } from "commander";
import { type ConnectionArguments, connect } from "./connection.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { printJson } from "./outcome.ts";

interface CheckoutArguments extends ConnectionArguments {
  quantity?: number;
  successUrl?: string;
  cancelUrl?: string;
}

interface UsageArguments extends ConnectionArguments {
  from?: string;
  to?: string;
  cursor?: string;
}

/** @throws InvalidArgumentError */
function parseQuantity(value: string): number {
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It is a number of packs from 1 to 999.");
}

async function print(io: Io, answer: unknown): Promise<number> {
  await printJson(io, JSON.stringify(answer));
  return EXIT_CODES.success;
}

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  const billing = program.command("billing").description("the organization's prepaid tokens");
  const add = <A extends ConnectionArguments>(
    command: Command,
    call: (io: Io, args: A, named: string) => Promise<unknown>,
  ): void => {
    command.action((...given: unknown[]) => {
      const args = command.optsWithGlobals<A>();
      const named = typeof given[0] === "string" ? given[0] : "";
      return perform(async (io) => print(io, await call(io, args, named)));
    });
  };
  add(billing.command("prices").description("print the token packs on offer"), (io, args) =>
    connect(io, args).billing.prices({ signal: io.signal }),
  );
  add<CheckoutArguments>(
    billing
      .command("checkout")
      .description("print the address of a page to buy tokens on")
      .argument("<price>", "the priceId of a pack")
      .option("--quantity <packs>", "how many packs (default: 1)", parseQuantity)
      .option("--success-url <url>", "where the buyer goes after paying")
      .option("--cancel-url <url>", "where the buyer goes after giving up"),
    (io, args, price) => {
      const { quantity, successUrl, cancelUrl } = args;
      return connect(io, args).billing.checkout(price, { quantity, successUrl, cancelUrl, signal: io.signal });
    },
  );
  add(billing.command("balance").description("print the balance"), (io, args) =>
    connect(io, args).billing.balance({ signal: io.signal }),
  );
  add<UsageArguments>(
    billing
      .command("usage")
      .description("print the newest entries of the balance, and the tokens of each day")
      .option("--from <time>", "entries from this time on, as 2026-11-01T00:00:00Z")
      .option("--to <time>", "entries up to this time")
      .option("--cursor <cursor>", "the next page: nextCursor of the one before"),
    (io, args) => {
      const { from, to, cursor } = args;
      return connect(io, args).billing.usage({ from, to, cursor, signal: io.signal });
    },
  );
}
