/** A generateContent body → the canonical request (Gemini API reference, generateContent). */

import type {
  BuiltinTool,
  ChatRequest,
  Reasoning,
  ResponseFormat,
  Tool,
  ToolChoice,
} from '../../../canonical/chat.ts';
import { readEffort } from '../../../canonical/kit/reasoning.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import type { RequestAddress } from '../shared/chat-translation.ts';
import { Fields, readModel } from '../shared/fields.ts';
import { listed, named, readContents } from './contents.ts';

const known: ReadonlySet<string> = new Set([
  'model',
  'contents',
  'systemInstruction',
  'system_instruction',
  'tools',
  'toolConfig',
  'tool_config',
  'generationConfig',
  'generation_config',
]);

const knownConfig = [
  'temperature',
  'topP',
  'topK',
  'maxOutputTokens',
  'candidateCount',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'thinkingConfig',
];

/** Fields without a place in the canonical form; those of `generationConfig` under that name. */
function readExtra(fields: Fields, config: Fields): JsonObject {
  const kept = config.without(new Set(knownConfig.map((name) => named(config, name))));
  return {
    ...fields.without(known),
    ...(Object.keys(kept).length > 0 ? { generationConfig: kept } : {}),
  };
}

/**
 * Members of a schema that hold one schema or a list of them, and those that hold schemas by name.
 */
const inner: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'additionalProperties',
]);
const byName: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
]);
/** Bounds are 64-bit numbers, which Google's clients write as text. */
const bounds = /^(?:min|max)(?:Items|Length|Properties)$/;

function lowerCase(type: JsonValue): JsonValue {
  if (Array.isArray(type)) return (type as readonly JsonValue[]).map(lowerCase);
  return typeof type === 'string' ? type.toLowerCase() : type;
}

function toMember(key: string, value: JsonValue): JsonValue {
  if (key === 'type') return lowerCase(value);
  if (inner.has(key)) return toJsonSchema(value);
  if (byName.has(key) && isObject(value))
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([name, one]) => [name, toJsonSchema(one)]),
    );
  return bounds.test(key) && typeof value === 'string' && /^\d+$/.test(value)
    ? Number(value)
    : value;
}

/** Gemini writes types in capitals and has `nullable`; plain JSON Schema has neither. */
function toJsonSchema(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).map(toJsonSchema);
  if (!isObject(schema)) return schema;
  const { nullable, ...members } = schema as JsonObject;
  const result = Object.fromEntries(
    Object.entries(members).map(([key, value]) => [key, toMember(key, value)]),
  );
  return nullable === true && typeof result['type'] === 'string'
    ? { ...result, type: [result['type'], 'null'] }
    : result;
}

const builtins: readonly (readonly [string, BuiltinTool['type']])[] = [
  ['googleSearch', 'web-search'],
  ['googleSearchRetrieval', 'web-search'],
  ['codeExecution', 'code-execution'],
  ['urlContext', 'url-context'],
];

function readTool(tool: Fields): Tool[] {
  const written = named(tool, 'functionDeclarations');
  const declarations = tool.raw(written) === undefined ? undefined : listed(tool, written);
  const tools = (declarations ?? []).map((declaration): Tool => {
    const schema =
      declaration.objectValue(named(declaration, 'parametersJsonSchema')) ??
      declaration.objectValue('parameters') ??
      undefined;
    return {
      type: 'function',
      name: declaration.requiredText('name'),
      description: declaration.text('description'),
      parameters: schema === undefined ? undefined : (toJsonSchema(schema) as JsonObject),
    };
  });
  for (const [name, type] of builtins) {
    if (tool.raw(named(tool, name)) !== undefined) tools.push({ type, options: {} });
  }
  const known = new Set([written, ...builtins.map(([name]) => named(tool, name))]);
  const others = Object.entries(tool.value).filter(
    ([name, value]) => !known.has(name) && value !== null,
  );
  if (others.length > 0 || (tools.length === 0 && declarations === undefined))
    tools.push({
      type: 'foreign',
      origin: 'gemini-generate',
      raw: Object.fromEntries(others) as JsonObject,
    });
  return tools;
}

function readToolChoice(fields: Fields): ToolChoice | undefined {
  const config = fields.object(named(fields, 'toolConfig'));
  const calling = config?.object(named(config, 'functionCallingConfig'));
  const allowed = calling?.texts(named(calling, 'allowedFunctionNames')) ?? [];
  if (calling?.text('mode') === undefined) return undefined;
  switch (calling.text('mode')?.toUpperCase()) {
    case 'NONE':
      return { type: 'none' };
    case 'ANY':
      return allowed.length === 1 && allowed[0] !== undefined
        ? { type: 'tool', name: allowed[0] }
        : { type: 'required' };
    default:
      return { type: 'auto' };
  }
}

function readFormat(config: Fields): ResponseFormat | undefined {
  const json = config.text(named(config, 'responseMimeType')) === 'application/json';
  const schema =
    config.objectValue(named(config, 'responseJsonSchema')) ??
    config.objectValue(named(config, 'responseSchema'));
  if (schema !== undefined)
    return { type: 'json-schema', name: 'response', schema: toJsonSchema(schema) as JsonObject };
  return json ? { type: 'json' } : undefined;
}

function readReasoning(config: Fields): Reasoning | undefined {
  const thinking = config.object(named(config, 'thinkingConfig'));
  if (thinking === undefined) return undefined;
  return {
    effort: readEffort(thinking.text(named(thinking, 'thinkingLevel'))?.toLowerCase()),
    budgetTokens: thinking.number(named(thinking, 'thinkingBudget')),
    include: thinking.flag(named(thinking, 'includeThoughts')),
  };
}

function userContent(text: string): Fields {
  return new Fields({ role: 'user', parts: [{ text }] }, 'invalid_request', 'contents');
}

/** Throws AppError('model_required' | 'invalid_request', {detail}). */
export function readGenerateRequest(
  body: JsonObject,
  address: RequestAddress | undefined,
): ChatRequest {
  const fields = new Fields(body, 'invalid_request');
  const written = fields.raw('contents');
  const contents =
    typeof written === 'string' ? [userContent(written)] : listed(fields, 'contents');
  if (contents.length === 0) fields.fail('field contents is required');
  const config =
    fields.object(named(fields, 'generationConfig')) ?? new Fields({}, 'invalid_request');
  const number = (name: string) => config.number(named(config, name));
  const tools = listed(fields, 'tools').flatMap(readTool);
  return {
    model: address?.model ?? readModel(fields),
    messages: readContents(fields.object(named(fields, 'systemInstruction')), contents),
    stream: address?.stream ?? false,
    maxOutputTokens: config.count(named(config, 'maxOutputTokens')),
    temperature: number('temperature'),
    topP: number('topP'),
    topK: number('topK'),
    stop: config.texts(named(config, 'stopSequences')),
    seed: number('seed'),
    frequencyPenalty: number('frequencyPenalty'),
    presencePenalty: number('presencePenalty'),
    candidateCount: config.count(named(config, 'candidateCount')),
    logprobs: config.flag(named(config, 'responseLogprobs')),
    topLogprobs: config.count('logprobs'),
    tools: tools.length > 0 ? tools : undefined,
    toolChoice: readToolChoice(fields),
    responseFormat: readFormat(config),
    reasoning: readReasoning(config),
    modalities: config
      .texts(named(config, 'responseModalities'))
      ?.map((name) => name.toLowerCase()),
    origin: 'gemini-generate',
    extra: readExtra(fields, config),
  };
}
