/**
 * Type 11, PaLM 2 (docs/rules/providers.md#palm). Google has retired the interface. It is kept for
 * hosts that still serve it; on any other reply the error says what to do.
 */

import type { ChatReply } from '../../canonical/chat-reply.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import {
  countOf,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { Provider } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';
import { geminiError } from '../gemini/decode-parts.ts';
import { writePalmChat } from './encode-chat.ts';
import { readPalmFailure } from './failure.ts';

const path = '/v1beta2/models/chat-bison-001:generateMessage';

/**
 * Tells no usage. Throws ReplyFailure, and AppError('prompt_blocked' | 'empty_response') where no
 * candidate is in it.
 */
function readPalmReply(body: unknown): ChatReply {
  const reply = replyObject(body);
  if ((countOf(recordOf(reply.error)?.code) ?? 0) !== 0) throw new ReplyFailure(geminiError(reply));
  const choices = recordsOf(reply.candidates).map(({ content }, index) => {
    const text = textOf(content) ?? '';
    return { index, content: [{ type: 'text', text }], finish: 'stop', rawFinish: null } as const;
  });
  if (choices.length > 0) return { choices };
  const [reason] = recordsOf(reply.filters).flatMap((filter) => textOf(filter.reason) ?? []);
  throw reason === undefined
    ? new AppError('empty_response')
    : new AppError('prompt_blocked', { detail: reason });
}

export const palm: Provider = {
  slug: 'palm',
  channelTypes: [11],
  defaultBaseUrl: 'https://generativelanguage.googleapis.com',
  keyFormat: { example: 'AIza…' },
  settings: z.object({}),
  models: ['PaLM-2'],
  operations: {
    // Never streamed: the relay turns the whole reply into a stream where one is requested.
    chat: {
      encode: (request, call) => ({
        method: 'POST',
        url: call.baseUrl + path,
        headers: { ...jsonHeaders(false), 'x-goog-api-key': call.key.reveal() },
        body: writePalmChat(request),
      }),
      decode: readPalmReply,
    },
  },
  readFailure: readPalmFailure,
};
