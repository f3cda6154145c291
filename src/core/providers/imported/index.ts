/**
 * Resellers that only imported databases contain (docs/rules/providers.md#imported-resellers):
 * OpenAI's API at the channel's base URL, else at the address that both families have for the type. Those with an account interface of their own report the
 * balance there.
 */

import { amountOf, getJson } from '../../canonical/kit/account.ts';
import { recordOf } from '../../canonical/kit/read-json.ts';
import { bareBase } from '../../canonical/kit/request-target.ts';
import type { AccountAdapter, Balance, Call, Effects } from '../../canonical/provider.ts';
import type { ChannelType } from '../../vocabulary/channel-types.ts';
import { openAiModels } from '../openai/models.ts';
import { readDashboardBalance } from '../openai-compatible/account.ts';
import { bearerHeaders, openaiCompatible } from '../openai-compatible/index.ts';

type ReadBalance = NonNullable<AccountAdapter['readBalance']>;

const dashboard: ReadBalance = (call, effects) =>
  readDashboardBalance(call.baseUrl, bearerHeaders(call), call, effects);

/** `/dashboard/billing/credit_grants`, of which one field is what is left. */
function grants(field: string): ReadBalance {
  return async (call, effects) => {
    const url = `${bareBase(call.baseUrl)}/dashboard/billing/credit_grants`;
    const body = recordOf(await getJson(effects, url, bearerHeaders(call)));
    return { amount: amountOf(body?.[field]), currency: 'USD' };
  };
}

/** The account interface is at the host without `api.`, and counts in points. */
async function readPoints(call: Call, effects: Effects): Promise<Balance> {
  const url = `${new URL(call.baseUrl).origin.replace('//api.', '//')}/api/report/getUserOverview`;
  const body = recordOf(await getJson(effects, url, { 'api-key': call.key.reveal() }));
  return { amount: amountOf(recordOf(body?.data)?.totalPoints), currency: 'points' };
}

/** `address`: where a channel goes that has none of its own, as in both families of sources. */
function reseller(slug: string, type: ChannelType, address: string, readBalance: ReadBalance) {
  return openaiCompatible({
    slug,
    serves: ['openai'],
    channelTypes: [type],
    defaultBaseUrl: address,
    models: openAiModels,
    also: [
      'image',
      'image-edit',
      'speech',
      'transcription',
      'translation',
      'moderation',
      'rerank',
      'responses',
    ],
    readBalance,
  });
}

export const importedProviders = [
  reseller('openai-max', 6, 'https://api.openaimax.com', dashboard),
  reseller('ohmygpt', 7, 'https://api.ohmygpt.com', dashboard),
  reseller('ails', 9, 'https://api.caipacity.com', dashboard),
  reseller('ai-proxy-openai', 10, 'https://api.aiproxy.io', readPoints),
  reseller('api2gpt', 12, 'https://api.api2gpt.com', grants('total_remaining')),
  reseller('aigc2d', 13, 'https://api.aigc2d.com', grants('total_available')),
];
