/**
 * The one way to the money of a request: its hold in wallet, token and the windows of its budgets
 * (docs/rules/budgets.md#admission). Everything that is charged was held here before.
 */
import type { Hold, HoldRequest, TightestWindow } from '../../billing/index.ts';
import type { Subjects } from '../../budgets/budget-gate.ts';
import { nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { neverEnds } from '../../vocabulary/budgets.ts';
import type { ClientReply } from '../client/client.ts';
import type { CallerContext } from '../context.ts';
import { noteExhausted } from '../token-status.ts';

/**
 * Throws AppError budget_closed and what the ledger throws; budget_exceeded has the seconds until
 * the window ends.
 */
export async function holdFor(
  context: CallerContext,
  model: string,
  amounts: Pick<HoldRequest, 'amount' | 'smallAmount'>,
  subjects?: Subjects,
): Promise<Hold> {
  const { deps, caller, requestId } = context;
  const { userId, tokenId } = caller;
  const windows = deps.budgets.windowsOf(caller, model, subjects);
  const request = { requestId, userId, tokenId, ...amounts };
  try {
    const hold = await deps.ledger.hold(
      windows === undefined ? request : { ...request, windows: await windows },
    );
    if (hold.tightest !== undefined) announce(context.response, hold.tightest);
    return hold;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'token_exhausted') noteExhausted(context, caller);
    throw error.code === 'budget_exceeded' ? withTime(error, nowSeconds(deps.clock)) : error;
  }
}

/** Tells the caller of the budget that ends first (docs/rules/budgets.md#headers). */
function announce(response: ClientReply, { budget, limit, left, endsAt }: TightestWindow): void {
  if (response.headersSent) return;
  response.setHeader('x-turnpike-budget', encodeURIComponent(budget));
  response.setHeader('x-turnpike-budget-limit', String(limit));
  response.setHeader('x-turnpike-budget-remaining', String(left));
  if (endsAt !== neverEnds)
    response.setHeader('x-turnpike-budget-reset', new Date(endsAt * 1000).toISOString());
}

function withTime({ params }: AppError, now: number): AppError {
  const { endsAt, ...known } = params;
  if (typeof endsAt !== 'number') return new AppError('budget_exceeded', known);
  return new AppError('budget_exceeded', {
    ...known,
    until: new Date(endsAt * 1000).toISOString(),
    retryAfter: Math.max(1, endsAt - now),
  });
}
