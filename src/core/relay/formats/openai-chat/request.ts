/** A chat completions body → the canonical request (OpenAI API reference, Chat completions). */

import type {
  ChatRequest,
  FunctionTool,
  Reasoning,
  ResponseFormat,
  Tool,
  ToolChoice,
} from '../../../canonical/chat.ts';
import { readEffort } from '../../../canonical/kit/reasoning.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { readCacheControl, withCacheLife } from '../shared/cache-control.ts';
import { Fields, readModel } from '../shared/fields.ts';
import { readChatMessages } from './messages.ts';

const known: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'n',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'tools',
  'functions',
  'tool_choice',
  'function_call',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'modalities',
  'user',
  'service_tier',
  'web_search_options',
]);

function readFunction(fields: Fields): FunctionTool {
  return {
    type: 'function',
    name: fields.requiredText('name'),
    description: fields.text('description'),
    parameters: fields.objectValue('parameters'),
    strict: fields.flag('strict'),
  };
}

function readTools(fields: Fields): readonly Tool[] | undefined {
  const tools = (fields.objects('tools') ?? []).map((tool): Tool => {
    const type = tool.text('type');
    const definition =
      type === undefined || type === 'function' ? tool.object('function') : undefined;
    if (definition === undefined)
      return { type: 'foreign', origin: 'openai-chat', raw: tool.value };
    return { ...readFunction(definition), cacheControl: readCacheControl(tool) };
  });
  for (const named of fields.objects('functions') ?? []) {
    const tool = readFunction(named);
    tools.push({ ...tool, source: { origin: 'openai-chat', raw: named.value, name: tool.name } });
  }
  const search = fields.objectValue('web_search_options');
  if (search !== undefined) tools.push({ type: 'web-search', options: search });
  return tools.length > 0 ? tools : undefined;
}

/**
 * `tool_choice`, or the older `function_call`: `auto`, `none`, `required`, or an object that names
 * a function.
 */
function readToolChoice(fields: Fields): ToolChoice | undefined {
  const choice = fields.raw('tool_choice') ?? fields.raw('function_call');
  if (choice === undefined) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
  const named = isObject(choice)
    ? isObject(choice.function)
      ? choice.function
      : choice
    : undefined;
  if (typeof named?.name === 'string') return { type: 'tool', name: named.name };
  // Forms that only OpenAI's own servers know (`allowed_tools`, custom tools) restrict, they do not
  // forbid.
  return isObject(choice) ? { type: 'auto' } : fields.fail('tool_choice is invalid');
}

function readResponseFormat(fields: Fields): ResponseFormat | undefined {
  const format = fields.object('response_format');
  switch (format?.text('type')) {
    case undefined:
      return undefined;
    case 'json_object':
      return { type: 'json' };
    case 'json_schema': {
      const schema = format?.object('json_schema');
      return {
        type: 'json-schema',
        name: schema?.text('name'),
        description: schema?.text('description'),
        schema: schema?.objectValue('schema') ?? {},
        strict: schema?.flag('strict'),
      };
    }
    default:
      return { type: 'text' };
  }
}

/**
 * `reasoning_effort`; OpenRouter's `reasoning` and Anthropic's `thinking` stay in `extra` and are
 * read as well.
 */
function readReasoning(fields: Fields): Reasoning | undefined {
  const reasoning = fields.raw('reasoning');
  const thinking = fields.raw('thinking');
  const nested: JsonObject = isObject(reasoning) ? (reasoning as JsonObject) : {};
  const effort = readEffort(fields.text('reasoning_effort') ?? nested.effort);
  let budgetTokens = typeof nested.max_tokens === 'number' ? nested.max_tokens : undefined;
  let adaptive: true | undefined;
  if (isObject(thinking)) {
    if (thinking.type === 'enabled' && typeof thinking.budget_tokens === 'number')
      budgetTokens ??= thinking.budget_tokens;
    if (thinking.type === 'adaptive') adaptive = true;
    if (thinking.type === 'disabled') return { effort: 'none' };
  }
  if (effort === undefined && budgetTokens === undefined && adaptive === undefined)
    return undefined;
  return { effort, budgetTokens, adaptive };
}

export function readChatRequest(body: JsonObject): ChatRequest {
  const fields = new Fields(body, 'invalid_text_request');
  const model = readModel(fields);
  const messages = fields.objects('messages') ?? [];
  if (messages.length === 0) fields.fail('field messages is required');
  return {
    model,
    messages: withCacheLife(fields, readChatMessages(messages)),
    stream: fields.flag('stream') ?? false,
    maxOutputTokens: fields.count('max_completion_tokens') ?? fields.count('max_tokens'),
    temperature: fields.number('temperature'),
    topP: fields.number('top_p'),
    topK: fields.number('top_k'),
    stop: fields.texts('stop'),
    seed: fields.number('seed'),
    frequencyPenalty: fields.number('frequency_penalty'),
    presencePenalty: fields.number('presence_penalty'),
    candidateCount: fields.count('n'),
    logprobs: fields.flag('logprobs'),
    topLogprobs: fields.count('top_logprobs'),
    logitBias: fields.objectValue('logit_bias'),
    tools: readTools(fields),
    toolChoice: readToolChoice(fields),
    // The older `functions` are called one at a time.
    parallelToolCalls:
      fields.flag('parallel_tool_calls') ??
      (fields.raw('functions') === undefined ? undefined : false),
    responseFormat: readResponseFormat(fields),
    reasoning: readReasoning(fields),
    modalities: fields.texts('modalities'),
    user: fields.text('user'),
    serviceTier: fields.text('service_tier'),
    origin: 'openai-chat',
    extra: fields.without(known),
  };
}
