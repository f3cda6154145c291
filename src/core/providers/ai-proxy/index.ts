/**
 * Type 21, a knowledge base (docs/rules/providers.md#ai-proxy): answers the last message from the
 * documents of one library. No public service is known today, so a channel must give the address of
 * its server.
 */

import type { ChatRequest } from '../../canonical/chat.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import { assistantText, plainText } from '../../canonical/kit/plain-turns.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { Provider } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import { LibraryStreamDecoder, readLibraryReply } from './decode.ts';
import { libraryError } from './failure.ts';
import { aiProxyFields } from './fields.ts';

function questionOf({ messages }: ChatRequest): string {
  const last = messages.at(-1);
  if (last === undefined) throw new AppError('invalid_text_request', { detail: 'no messages' });
  return last.role === 'assistant' ? assistantText(last.content) : plainText(last.content);
}

/**
 * Left out silently: everything but the last message's text and the model. Throws
 * AppError('unsupported_feature') where that message holds images, audio or files.
 */
export const aiProxy: Provider = {
  slug: 'ai-proxy',
  channelTypes: [21],
  defaultBaseUrl: null,
  keyFormat: { example: 'key' },
  settings: z.object({}),
  other: { label: aiProxyFields.other.label.en, required: true },
  models: [],
  operations: {
    chat: {
      encode: (request, call) => ({
        method: 'POST',
        url: `${call.baseUrl}/api/library/ask`,
        headers: { ...jsonHeaders(request.stream), ...bearerHeaders(call) },
        body: {
          model: call.model,
          query: questionOf(request),
          libraryId: call.other.trim(),
          stream: request.stream,
        },
      }),
      decode: readLibraryReply,
      framing: 'sse',
      createStreamDecoder: () => new LibraryStreamDecoder(),
    },
  },
  // Its readers take the end of the connection for the end of the answer; `finish` is not always
  // sent.
  omitsFinish: true,
  readFailure: (failure) => {
    const own = libraryError(failure.body);
    return own === undefined ? readFailure(failure) : { ...own, status: failure.status };
  },
};
