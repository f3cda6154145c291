/**
 * Canonical request → `/api/chat` and `/api/generate` (docs/rules/providers.md#ollama-requests).
 */

import type { ChatRequest, ReasoningEffort, Tool } from '../../canonical/chat.ts';
import { plainText } from '../../canonical/kit/plain-turns.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';
import { writeOllamaMessages } from './encode-messages.ts';

/** What Ollama's own fields in the body of a chat caller say. */
function ownField({ origin, extra }: ChatRequest, name: string): JsonValue | undefined {
  return origin === 'openai-chat' ? extra[name] : undefined;
}

function writeOptions(request: ChatRequest): JsonObject | undefined {
  const given = ownField(request, 'options');
  const options = {
    ...(isObject(given) ? (given as JsonObject) : {}),
    ...compact({
      temperature: request.temperature,
      top_p: request.topP,
      top_k: request.topK,
      frequency_penalty: request.frequencyPenalty,
      presence_penalty: request.presencePenalty,
      seed: request.seed,
      num_predict: request.maxOutputTokens,
      stop: request.stop,
    }),
  };
  return Object.keys(options).length > 0 ? options : undefined;
}

function writeFormat({ responseFormat }: ChatRequest): JsonValue | undefined {
  if (responseFormat?.type === 'json') return 'json';
  return responseFormat?.type === 'json-schema' ? responseFormat.schema : undefined;
}

const levels: Readonly<Record<ReasoningEffort, JsonValue>> = {
  none: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

/**
 * Models that cannot think refuse to be asked to, and those that can do so by default. A budget,
 * which some clients send with every request, therefore counts only for models with levels
 * or where it forbids thinking.
 */
function writeThink(request: ChatRequest, model: string): JsonValue | undefined {
  const own = ownField(request, 'think');
  if (own !== undefined) return own;
  const { reasoning } = request;
  const effort = effortOf(reasoning);
  if (effort === undefined) return undefined;
  const requested =
    reasoning?.effort !== undefined ||
    effort === 'none' ||
    factsOf(bareModelName(model)).thinking?.includes('level') === true;
  return requested ? levels[effort] : undefined;
}

function writeTool(tool: Tool): JsonObject[] {
  if (tool.type !== 'function') return [];
  const { name, description, parameters = { type: 'object', properties: {} } } = tool;
  return [{ type: 'function', function: compact({ name, description, parameters }) }];
}

/**
 * Ollama has no tool choice: forbidden tools are left out, and a named tool is the only one sent.
 */
function writeTools({ tools = [], toolChoice }: ChatRequest): JsonObject[] | undefined {
  if (toolChoice?.type === 'none') return undefined;
  const chosen =
    toolChoice?.type === 'tool'
      ? tools.filter((tool) => tool.type === 'function' && tool.name === toolChoice.name)
      : tools;
  const written = chosen.flatMap(writeTool);
  return written.length > 0 ? written : undefined;
}

/** Fields that chat and completion share. `stream` is always sent: by default Ollama streams. */
function writeCommon(
  request: ChatRequest,
  model: string,
): Readonly<Record<string, JsonValue | undefined>> {
  if ((request.candidateCount ?? 1) > 1)
    throw new AppError('unsupported_feature', { detail: 'n > 1' });
  return {
    model,
    stream: request.stream,
    format: writeFormat(request),
    options: writeOptions(request),
    think: writeThink(request, model),
    keep_alive: ownField(request, 'keep_alive'),
  };
}

/**
 * Left out silently: log probabilities, logit biases, users, and the requirement that some tool be
 * called. Throws AppError('unsupported_feature') for several choices, audio and files.
 */
export function writeOllamaChat(request: ChatRequest, model: string): JsonObject {
  return compact({
    ...writeCommon(request, model),
    messages: writeOllamaMessages(request.messages),
    tools: writeTools(request),
  });
}

/** A completion: its prompt is the only message. */
export function writeOllamaGenerate(request: ChatRequest, model: string): JsonObject {
  const [prompt] = request.messages;
  if (prompt?.role !== 'user') throw new AppError('invalid_text_request', { detail: 'no prompt' });
  return compact({ ...writeCommon(request, model), prompt: plainText(prompt.content) });
}
