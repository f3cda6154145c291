/**
 * The one way to the money of a request: its rates, and its hold in wallet, token and the windows of
 * its budgets (docs/rules/budgets.md#admission). Everything that is charged was held here before.
 */
import type { ChargeRequest, Hold, HoldRequest, TightestWindow } from '../../billing/index.ts';
import type { Subjects } from '../../budgets/budget-gate.ts';
import type { RateTicket } from '../../budgets/rates.ts';
import { nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Quota } from '../../kernel/quota.ts';
import { neverEnds } from '../../vocabulary/budgets.ts';
import type { ClientReply } from '../client/client.ts';
import { addHeaders } from '../client/edit-reply.ts';
import type { CallerContext } from '../context.ts';
import { noteExhausted } from '../token-status.ts';
import { showLimit } from './limit-headers.ts';

/** A hold that is ended by one of these, once. */
export interface Held {
  readonly hold: Hold;
  release(): Promise<void>;
  /** `tokens`: what the request used. As the ledger does it. */
  settle(charge: ChargeRequest, tokens: number): Promise<Quota>;
}

export interface HeldAmounts extends Pick<HoldRequest, 'amount' | 'smallAmount'> {
  /**
   * The tokens that it will probably be; the charge says how many there were. Undefined: it counts
   * against no rate.
   */
  readonly tokens: number | undefined;
}

/**
 * Counts a request against the rates that it falls under; undefined: none. Rejects with AppError
 * rate_requests, rate_tokens, rate_parallel.
 */
export function enterRates(
  context: CallerContext,
  model: string,
  tokens: number,
  subjects?: Subjects,
): Promise<RateTicket> | undefined {
  const { deps, caller: spender, requestId } = context;
  return deps.budgets.enterRates({
    requestId,
    spender,
    model,
    tokens,
    subjects,
    show: (room) => {
      for (const allowance of room) showLimit(context, allowance);
    },
  });
}

/**
 * Throws AppError budget_closed, rate_requests, rate_tokens, rate_parallel and what the ledger
 * throws; budget_exceeded has the seconds until the window ends.
 */
export async function holdFor(
  context: CallerContext,
  model: string,
  amounts: HeldAmounts,
  subjects?: Subjects,
): Promise<Held> {
  const { ledger } = context.deps;
  const { tokens } = amounts;
  const entered = tokens === undefined ? undefined : enterRates(context, model, tokens, subjects);
  const ticket = entered && (await entered);
  try {
    const hold = await holdMoney(context, model, amounts, subjects);
    const release = () => ledger.release(hold);
    const settle = (charge: ChargeRequest) => ledger.settle(hold, charge);
    if (ticket === undefined) return { hold, release, settle };
    return {
      hold,
      release: () => release().finally(() => ticket.end(0)),
      settle: (charge, used) => settle(charge).finally(() => ticket.end(used)),
    };
  } catch (error) {
    ticket?.end(0);
    throw error;
  }
}

async function holdMoney(
  context: CallerContext,
  model: string,
  amounts: Pick<HoldRequest, 'amount' | 'smallAmount'>,
  subjects: Subjects | undefined,
): Promise<Hold> {
  const { deps, caller, requestId } = context;
  const { userId, tokenId } = caller;
  const windows = deps.budgets.windowsOf(caller, model, subjects);
  const { amount, smallAmount } = amounts;
  try {
    const hold = await deps.ledger.hold({
      requestId,
      userId,
      tokenId,
      amount,
      smallAmount,
      windows: windows instanceof Promise ? await windows : windows,
    });
    if (hold.tightest !== undefined) announce(context.response, hold.tightest);
    return hold;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'token_exhausted') noteExhausted(context, caller);
    throw error.code === 'budget_exceeded' ? withTime(error, nowSeconds(deps.clock)) : error;
  }
}

/** Names the budget that ends first to the caller (docs/rules/budgets.md#headers). */
function announce(response: ClientReply, tightest: TightestWindow): void {
  addHeaders(response, {
    ...namesOf(tightest),
    'x-turnpike-budget-remaining': String(tightest.left),
  });
}

let lastNamed: Pick<TightestWindow, 'budget' | 'limit' | 'endsAt'> | undefined;
let lastNames: Readonly<Record<string, string>> = {};

/** The same of all windows of a budget: numbers above 2^30 take long to be written. */
function namesOf(tightest: TightestWindow): Readonly<Record<string, string>> {
  const { budget, limit, endsAt } = tightest;
  const isSame =
    limit === lastNamed?.limit && endsAt === lastNamed.endsAt && budget === lastNamed.budget;
  if (isSame) return lastNames;
  lastNamed = tightest;
  lastNames = {
    'x-turnpike-budget': encodeURIComponent(budget),
    'x-turnpike-budget-limit': String(limit),
    ...(endsAt !== neverEnds && { 'x-turnpike-budget-reset': dateText(endsAt) }),
  };
  return lastNames;
}

let lastDate = { seconds: 0, text: '' };

/** Windows of many requests end together. */
function dateText(seconds: number): string {
  if (lastDate.seconds !== seconds)
    lastDate = { seconds, text: new Date(seconds * 1000).toISOString() };
  return lastDate.text;
}

function withTime({ params }: AppError, now: number): AppError {
  const { endsAt, ...known } = params;
  if (typeof endsAt !== 'number') return new AppError('budget_exceeded', known);
  return new AppError('budget_exceeded', {
    ...known,
    until: dateText(endsAt),
    retryAfter: Math.max(1, endsAt - now),
  });
}
