/**
 * Type 15, Wenxin v1 (docs/rules/providers.md#baidu-choice). Baidu has announced its end: a channel
 * with a V2 key, with V2's address or with `use_v2` uses V2; one with `APIKey|SecretKey` uses v1,
 * for hosts that still serve it.
 */
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { ChannelFacts, Provider } from '../../canonical/provider.ts';
import { z } from '../../kernel/zod.ts';
import { qianfan } from '../baidu-v2/index.ts';
import { baiduAddress } from './address.ts';
import { BaiduStreamDecoder, readBaiduReply } from './decode-chat.ts';
import { embedding } from './embedding.ts';
import { writeBaiduChat } from './encode-chat.ts';
import { isTokenError, readBaiduFailure } from './failure.ts';
import { baiduToken, forgetBaiduToken } from './token.ts';

/**
 * The end of v1's host is not that of its channels: their models go to V2's host, which spells them
 * in small letters.
 */
const baiduThroughV2 = qianfan({
  slug: 'baidu-v2',
  channelTypes: [15],
  nameOf: (model) => model.toLowerCase(),
  rootOf: (baseUrl) =>
    baseUrl.replace(/^https:\/\/aip\.baidubce\.com$/, 'https://qianfan.baidubce.com'),
});

const settings = z.object({
  /** The key is one of V2 although it does not look like one. */
  use_v2: z.boolean().optional(),
});

function usesV2({ key, baseUrl, setting }: ChannelFacts): boolean {
  if (key.reveal().trim().startsWith('bce-v3/') || setting.use_v2 === true) return true;
  return /^https:\/\/qianfan\.baidubce\.com(?:\/|$)/.test(baseUrl);
}

export const baidu: Provider<z.infer<typeof settings>> = {
  slug: 'baidu',
  channelTypes: [15],
  defaultBaseUrl: 'https://aip.baidubce.com',
  keyFormat: { example: 'APIKey|SecretKey, or bce-v3/ALTAK-…' },
  settings,
  models: [
    ...[
      'ERNIE-4.0-8K',
      'ERNIE-3.5-8K',
      'ERNIE-3.5-8K-0205',
      'ERNIE-3.5-8K-1222',
      'ERNIE-Bot-8K',
      'ERNIE-3.5-4K-0205',
    ],
    ...[
      'ERNIE-Speed-8K',
      'ERNIE-Speed-128K',
      'ERNIE-Lite-8K-0922',
      'ERNIE-Lite-8K-0308',
      'ERNIE-Tiny-8K',
      'BLOOMZ-7B',
    ],
    ...['Embedding-V1', 'bge-large-zh', 'bge-large-en', 'tao-8k'],
  ],
  operations: {
    chat: {
      encode: (request, call) => ({
        method: 'POST',
        url: baiduAddress(call),
        headers: jsonHeaders(request.stream),
        body: writeBaiduChat(request, call.model),
      }),
      decode: readBaiduReply,
      framing: 'sse',
      createStreamDecoder: () => new BaiduStreamDecoder(),
    },
    embedding,
  },
  async authorize(request, call, effects) {
    const url = new URL(request.url);
    url.searchParams.set('access_token', await baiduToken(call, effects));
    return { ...request, url: url.href };
  },
  renewAuthorization(error, call, effects) {
    if (!isTokenError(error)) return false;
    forgetBaiduToken(call, effects);
    return true;
  },
  variants: [{ fits: usesV2, provider: baiduThroughV2 }],
  readFailure: readBaiduFailure,
};
