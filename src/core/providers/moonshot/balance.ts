/** What is left on an account (docs/rules/providers.md#moonshot-account). */

import { getJson } from '../../canonical/kit/account.ts';
import { countOf, recordOf } from '../../canonical/kit/read-json.ts';
import type { Balance, Call, Effects } from '../../canonical/provider.ts';
import { decimal, divide, toText } from '../../kernel/decimal.ts';
import { AppError } from '../../kernel/errors.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import { moonshotRoots } from './roots.ts';

/** Accounts of the international platform are kept in dollars. */
function countsDollars(root: string): boolean {
  return URL.canParse(root) && new URL(root).hostname.endsWith('.ai');
}

/** In dollars: yuan by the site's own rate, where it has one. */
export async function readBalance(call: Call, effects: Effects): Promise<Balance> {
  const root = moonshotRoots(call).openAi;
  const body = recordOf(await getJson(effects, `${root}/users/me/balance`, bearerHeaders(call)));
  const amount = recordOf(body?.data)?.available_balance;
  if (countOf(body?.code) !== 0 || typeof amount !== 'number')
    throw new AppError('bad_response_body', { detail: 'no balance in it' });
  if (countsDollars(root)) return { amount: toText(decimal(amount)), currency: 'USD' };
  const { yuanPerDollar } = call.options;
  if (yuanPerDollar === undefined) return { amount: toText(decimal(amount)), currency: 'CNY' };
  return { amount: toText(divide(decimal(amount), decimal(yuanPerDollar), 6)), currency: 'USD' };
}
