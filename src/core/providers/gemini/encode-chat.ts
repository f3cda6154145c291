/** Canonical request → generateContent body (docs/rules/providers.md#gemini-requests). */

import type { ChatRequest, FunctionTool, HostedTool, ToolChoice } from '../../canonical/chat.ts';
import { jsonInstructions, schemaInstructions } from '../../canonical/kit/json-instructions.ts';
import { capOutput } from '../../canonical/kit/output-limit.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { readOption } from '../../canonical/kit/read-option.ts';
import {
  formatsBesideTools,
  generatesImages,
  generatesSpeech,
  outputLimit,
  takesJsonSchema,
  takesSafetyOff,
} from '../../canonical/models/gemini.ts';
import type { Call } from '../../canonical/provider.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { writeContents } from './encode-contents.ts';
import { geminiOptions } from './options.ts';
import { toGeminiParameters, toGeminiSchema } from './schema.ts';
import {
  ownThinkingConfig,
  readGoogleConfig,
  splitGeminiSuffix,
  thinkingConfig,
} from './thinking.ts';

const maxStops = 5;

/** Functions of these names stand for the provider's own tools. */
const builtinNames: Readonly<Record<string, string>> = {
  googleSearch: 'googleSearch',
  codeExecution: 'codeExecution',
  urlContext: 'urlContext',
};
const builtinTypes = {
  'web-search': 'googleSearch',
  'code-execution': 'codeExecution',
  'url-context': 'urlContext',
} as const;

function writeFunction(tool: FunctionTool, model: string): JsonObject {
  const { name, description, parameters } = tool;
  if (!takesJsonSchema(model))
    return compact({ name, description, parameters: toGeminiParameters(parameters) });
  if (parameters === undefined) return compact({ name, description });
  const { $schema: _, ...schema } = parameters;
  return compact({ name, description, parametersJsonSchema: schema });
}

/**
 * Functions, or the provider's own tools where there are none. Older models refuse both together;
 * newer ones need their tools' results sent back, which only Gemini's own format can.
 */
function writeTools({ tools = [], origin }: ChatRequest, model: string): JsonObject[] {
  const functions: JsonObject[] = [];
  const builtins: JsonObject[] = [];
  for (const tool of tools) {
    if (tool.type === 'foreign') {
      if (tool.origin === 'gemini-generate' && isObject(tool.raw))
        builtins.push(tool.raw as JsonObject);
    } else if (tool.type !== 'function') builtins.push({ [builtinTypes[tool.type]]: {} });
    else {
      const builtin = builtinNames[tool.name];
      if (builtin !== undefined) builtins.push({ [builtin]: {} });
      else functions.push(writeFunction(tool, model));
    }
  }
  const declared = functions.length > 0 ? [{ functionDeclarations: functions }] : [];
  return declared.length > 0 && origin !== 'gemini-generate'
    ? declared
    : [...declared, ...builtins];
}

/**
 * Whether a tool is in what {@link writeTools} writes: those of Google's, where there are no
 * functions beside them or the caller speaks this format.
 */
export function takesTool(tool: HostedTool, { tools = [], origin }: ChatRequest): boolean {
  if (tool.type === 'foreign') return tool.origin === 'gemini-generate';
  return origin === 'gemini-generate' || tools.every(({ type }) => type !== 'function');
}

function writeToolConfig(choice: ToolChoice | undefined): JsonObject | undefined {
  if (choice === undefined) return undefined;
  if (choice.type === 'tool')
    return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [choice.name] } };
  return {
    functionCallingConfig: { mode: choice.type === 'required' ? 'ANY' : choice.type.toUpperCase() },
  };
}

const harmCategories = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map(
  (name) => `HARM_CATEGORY_${name}`,
);
const civicIntegrity = 'HARM_CATEGORY_CIVIC_INTEGRITY';

/**
 * The option's thresholds. The deprecated category goes only where the option names it; `OFF` came
 * with Gemini 2.
 */
function writeSafety(call: Call, model: string): JsonObject[] {
  const settings = readOption(call.options, geminiOptions, 'gemini.safety_settings');
  const known = (threshold: string) =>
    threshold === 'OFF' && !takesSafetyOff(model) ? 'BLOCK_NONE' : threshold;
  const categories =
    settings[civicIntegrity] === undefined ? harmCategories : [...harmCategories, civicIntegrity];
  return categories.map((category) => ({
    category,
    threshold: known(settings[category] ?? settings.default ?? 'OFF'),
  }));
}

/**
 * Instructions for a JSON format beside tools, which models before Gemini 3 refuse together.
 * Undefined: not needed.
 */
function formatInstructions(
  { responseFormat: format }: ChatRequest,
  tools: readonly JsonObject[],
  model: string,
): string | undefined {
  if (
    format === undefined ||
    format.type === 'text' ||
    tools.length === 0 ||
    formatsBesideTools(model)
  )
    return undefined;
  return format.type === 'json' ? jsonInstructions : schemaInstructions(format.schema);
}

function writeFormat(request: ChatRequest, model: string): JsonObject {
  const format = request.responseFormat;
  if (format === undefined || format.type === 'text') return {};
  if (format.type === 'json') return { responseMimeType: 'application/json' };
  if (!takesJsonSchema(model))
    return { responseMimeType: 'application/json', responseSchema: toGeminiSchema(format.schema) };
  const { $schema: _, ...schema } = format.schema;
  return { responseMimeType: 'application/json', responseJsonSchema: schema };
}

function writeModalities(request: ChatRequest, model: string): JsonObject {
  if (generatesSpeech(model)) {
    const voice =
      isObject(request.extra.audio) && typeof request.extra.audio.voice === 'string'
        ? request.extra.audio.voice
        : undefined;
    const speechConfig =
      voice === undefined
        ? undefined
        : { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } };
    return compact({ responseModalities: ['AUDIO'], speechConfig });
  }
  if (generatesImages(model)) return { responseModalities: ['TEXT', 'IMAGE'] };
  return compact({ responseModalities: request.modalities?.map((name) => name.toUpperCase()) });
}

function writeImageConfig(google: JsonObject | undefined): JsonObject | undefined {
  const given = google?.image_config;
  if (!isObject(given)) return undefined;
  const { aspect_ratio, image_size, ...rest } = given as Record<string, JsonValue>;
  return compact({ aspectRatio: aspect_ratio, imageSize: image_size, ...rest });
}

export interface EncodedGemini {
  /** Without suffix. */
  readonly model: string;
  readonly body: JsonObject;
}

/** Throws AppError for media that cannot be sent and for malformed `extra_body`. */
export function writeGenerateBody(request: ChatRequest, call: Call): EncodedGemini {
  const suffixed = splitGeminiSuffix(call.model, call.options);
  const { model } = suffixed;
  const google = request.origin === 'openai-chat' ? readGoogleConfig(request.extra) : undefined;
  const { system, contents } = writeContents(request, model);
  const tools = writeTools(request, model);
  const inWords = formatInstructions(request, tools, model);
  const instructions = inWords === undefined ? system : [...system, { text: inWords }];
  // A caller of this very format: its own safety settings, cached content and labels hold.
  const { generationConfig: config, ...own } =
    request.origin === 'gemini-generate' ? request.extra : {};
  const generationConfig = compact({
    ...(isObject(config) ? (config as JsonObject) : {}),
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    maxOutputTokens: capOutput(request.maxOutputTokens, outputLimit(model)),
    candidateCount: request.candidateCount,
    stopSequences: request.stop?.slice(0, maxStops),
    seed: request.seed,
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    responseLogprobs: request.logprobs,
    logprobs: request.topLogprobs,
    ...(inWords === undefined ? writeFormat(request, model) : {}),
    ...writeModalities(request, model),
    thinkingConfig: thinkingConfig(suffixed, request, ownThinkingConfig(google), call.options),
    imageConfig: writeImageConfig(google),
  });
  const body = compact({
    contents: contents.map(({ role, parts }) => ({ role, parts })),
    systemInstruction: instructions.length > 0 ? { parts: instructions } : undefined,
    tools: tools.length > 0 ? tools : undefined,
    toolConfig: tools.some((tool) => tool.functionDeclarations !== undefined)
      ? writeToolConfig(request.toolChoice)
      : undefined,
    safetySettings: writeSafety(call, model),
    ...own,
    generationConfig: Object.keys(generationConfig).length > 0 ? generationConfig : undefined,
  });
  return { model, body };
}
