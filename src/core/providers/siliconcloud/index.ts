/** Type 40, SiliconFlow (docs/rules/providers.md#siliconflow). */

import type { ProviderError } from '../../canonical/chat-reply.ts';
import { amountOf, getJson } from '../../canonical/kit/account.ts';
import { readFailure as readCommonFailure } from '../../canonical/kit/failure.ts';
import { countOf, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import { joinVersioned } from '../../canonical/kit/request-target.ts';
import type { Balance, Call, Effects, UpstreamFailure } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { bearerHeaders, openaiCompatible } from '../openai-compatible/index.ts';
import type { EditFields } from '../openai-compatible/model-rules.ts';
import { wrapErrors } from '../openai-compatible/rewrite.ts';
import { images } from './images.ts';
import { siliconCloudModels } from './models.ts';

/** Filling in the middle by chat needs a message, if an empty one. */
const editChat: EditFields = (field, model) => {
  const fills = field('prefix') !== undefined || field('suffix') !== undefined;
  const messages = field('messages');
  const none = messages === undefined || (Array.isArray(messages) && messages.length === 0);
  return { model, edits: fills && none ? { messages: [{ role: 'user', content: '' }] } : {} };
};

/** Statuses behind codes that also come with status 200. */
const statusByCode: Readonly<Record<string, number>> = { '20012': 404, '30001': 402 };

/** `{code, message, data}`, or only the message as a JSON text. 30001: the account is empty. */
function readFailure(failure: UpstreamFailure): ProviderError {
  const error = readCommonFailure(failure);
  const code = countOf(error.code);
  if (code === undefined) return error;
  const status = failure.status < 500 ? failure.status : (statusByCode[code] ?? failure.status);
  return { ...error, status, ...(code === 30_001 ? { accountFault: true } : {}) };
}

async function readBalance(call: Call, effects: Effects): Promise<Balance> {
  const body = recordOf(
    await getJson(effects, joinVersioned(call.baseUrl, '/v1/user/info'), bearerHeaders(call)),
  );
  if (countOf(body?.code) !== 20_000)
    throw new AppError('bad_response_body', { detail: textOf(body?.message) ?? '' });
  return { amount: amountOf(recordOf(body?.data)?.totalBalance), currency: 'CNY' };
}

export const siliconcloud = openaiCompatible({
  slug: 'siliconcloud',
  channelTypes: [40],
  defaultBaseUrl: 'https://api.siliconflow.cn',
  measuresUsage: true,
  models: siliconCloudModels,
  also: ['speech', 'transcription', 'rerank'],
  operations: { image: images, 'image-edit': images },
  edit: editChat,
  rewrite: wrapErrors,
  readFailure,
  readBalance,
});
