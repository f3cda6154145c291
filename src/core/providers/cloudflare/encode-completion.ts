import type { ChatRequest } from '../../canonical/chat.ts';
import { plainText } from '../../canonical/kit/plain-turns.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';

/**
 * A completion in a model's own form (docs/rules/providers.md#cloudflare-run). Stop sequences it
 * does not know: left out.
 */
export function writeCompletion(request: ChatRequest): JsonObject {
  const [prompt] = request.messages;
  if (prompt?.role !== 'user') throw new AppError('invalid_text_request', { detail: 'no prompt' });
  if ((request.candidateCount ?? 1) > 1)
    throw new AppError('unsupported_feature', { detail: 'n > 1' });
  return compact({
    prompt: plainText(prompt.content),
    max_tokens: request.maxOutputTokens,
    stream: request.stream,
    temperature: request.temperature,
    top_p: request.topP,
    seed: request.seed,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
  });
}
