/** Canonical request → the one frame of a question (docs/rules/providers.md#spark-chat). */

import type { AssistantMessage, ChatMessage, ChatRequest } from '../../canonical/chat.ts';
import { endUser } from '../../canonical/kit/end-user.ts';
import { assistantText, plainText } from '../../canonical/kit/plain-turns.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { SparkVersion } from './versions.ts';

const withSystem = new Set(['v3.5', 'v3.5-32K', 'v4.0']);
const withFunctions = new Set(['v3.1', 'v3.1-128K', 'v3.5', 'v3.5-32K', 'v4.0']);

/** The interface has no place for calls and their results: they are written as text. */
function writeAssistant(message: AssistantMessage): JsonObject {
  const calls = message.content.flatMap((part) =>
    part.type === 'tool-call'
      ? [JSON.stringify({ name: part.name, arguments: part.arguments })]
      : [],
  );
  const texts = [assistantText(message.content), ...calls].filter((text) => text !== '');
  return { role: 'assistant', content: texts.join('\n') };
}

function writeMessage(message: ChatMessage, version: string): JsonObject[] {
  switch (message.role) {
    case 'system': {
      const content = plainText(message.content);
      if (withSystem.has(version)) return [{ role: 'system', content }];
      return [
        { role: 'user', content },
        { role: 'assistant', content: 'Okay' },
      ];
    }
    case 'assistant':
      return [writeAssistant(message)];
    default:
      return [{ role: 'user', content: plainText(message.content) }];
  }
}

function writeFunctions(request: ChatRequest, version: string): JsonObject | undefined {
  if (request.toolChoice?.type === 'none') return undefined;
  const text = (request.tools ?? []).flatMap((tool) => {
    if (tool.type !== 'function') return [];
    const { name, description, parameters } = tool;
    return [
      compact({
        name,
        description: description ?? name,
        parameters: parameters ?? { type: 'object', properties: {} },
      }),
    ];
  });
  if (text.length === 0) return undefined;
  if (!withFunctions.has(version))
    throw new AppError('unsupported_feature', { detail: `tools with Spark ${version}` });
  return { text };
}

/** More than one system message would be out of place: they are one, in front. */
function oneSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const content = messages.flatMap((message) => (message.role === 'system' ? message.content : []));
  const rest = messages.filter((message) => message.role !== 'system');
  return content.length === 0 ? rest : [{ role: 'system', content }, ...rest];
}

/**
 * Left out silently: nucleus sampling, stop sequences, penalties, candidate counts, seeds, log
 * probabilities, response formats, tool choices and thinking settings. Throws
 * AppError('unsupported_feature') for images, audio, files, and for tools with versions that know
 * no functions.
 */
export function writeSparkFrame(
  request: ChatRequest,
  { version, domain }: SparkVersion,
  appId: string,
): JsonObject {
  const { temperature, topK } = request;
  const chat = compact({
    domain,
    temperature: temperature === undefined ? undefined : Math.min(1, Math.max(0.01, temperature)),
    top_k: topK === undefined ? undefined : Math.min(6, Math.max(1, Math.trunc(topK))),
    max_tokens: request.maxOutputTokens || undefined,
  });
  const text = oneSystem(request.messages).flatMap((message) => writeMessage(message, version));
  return {
    header: compact({ app_id: appId, uid: endUser(request)?.slice(0, 32) }),
    parameter: { chat },
    payload: compact({ message: { text }, functions: writeFunctions(request, version) }),
  };
}
