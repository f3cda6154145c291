/**
 * Model list and balance of OpenAI and its resellers (docs/rules/providers.md#account-interfaces).
 */

import { amountOf, getJson } from '../../canonical/kit/account.ts';
import { listOf, recordOf } from '../../canonical/kit/read-json.ts';
import { joinVersioned } from '../../canonical/kit/request-target.ts';
import type { Balance, Call, Effects } from '../../canonical/provider.ts';
import { decimal, divide, subtract, toText } from '../../kernel/decimal.ts';

export async function readOpenAiModels(
  url: string,
  headers: Readonly<Record<string, string>>,
  effects: Effects,
): Promise<readonly unknown[]> {
  const body = recordOf(await getJson(effects, url, headers));
  return listOf(body?.data);
}

const day = 86_400_000;

function dateText(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/**
 * `hard_limit_usd − total_usage ÷ 100`: from the first of the month for accounts that pay by card,
 * else 100 days back.
 */
export async function readDashboardBalance(
  base: string,
  headers: Readonly<Record<string, string>>,
  call: Call,
  effects: Effects,
): Promise<Balance> {
  const subscription = recordOf(
    await getJson(effects, joinVersioned(base, '/v1/dashboard/billing/subscription'), headers),
  );
  const start =
    subscription?.has_payment_method === true
      ? `${dateText(call.now).slice(0, 8)}01`
      : dateText(new Date(call.now.getTime() - 100 * day));
  const query = `start_date=${start}&end_date=${dateText(call.now)}`;
  const usage = recordOf(
    await getJson(effects, joinVersioned(base, `/v1/dashboard/billing/usage?${query}`), headers),
  );
  const limit = decimal(amountOf(subscription?.hard_limit_usd));
  const used = divide(decimal(amountOf(usage?.total_usage)), decimal(100), 6);
  return { amount: toText(subtract(limit, used)), currency: 'USD' };
}
