/**
 * Canonical request → Converse, for all models on Bedrock but Claude
 * (docs/rules/providers.md#bedrock-converse).
 */

import type { ChatMessage, ChatRequest, FunctionTool, ToolChoice } from '../../canonical/chat.ts';
import { fitCacheMarks } from '../../canonical/kit/cache-marks.ts';
import { jsonInstructions } from '../../canonical/kit/json-instructions.ts';
import { compact, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { hasLostThinking } from '../anthropic/encode-chat.ts';
import { type WrittenMessages, writeMessages } from '../anthropic/encode-messages.ts';
import { canThink } from '../anthropic/model-rules.ts';
import { inputSchema } from '../anthropic/schema.ts';
import { requestedThinking, type Thinking } from '../anthropic/thinking.ts';
import { jsonToolName } from '../anthropic-messages/decode-chat.ts';

const imageFormats = new Set(['png', 'jpeg', 'gif', 'webp']);
const documentFormats: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};
const cachePoint: JsonObject = { cachePoint: { type: 'default' } };

/** Characters a document's name may have. */
const maxDocumentName = 200;

/**
 * Unique names for a request's documents, regardless of case: letters, digits, single blanks,
 * hyphens and brackets. Others are refused. The model distinguishes documents by them.
 */
class DocumentNames {
  /** Names that are taken, and the last number behind each. */
  readonly #taken = new Map<string, number>();

  take(title: unknown): string {
    const name = (textOf(title) ?? '')
      .replace(/[^A-Za-z0-9\-()[\] ]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    const requested = name.slice(0, maxDocumentName).trimEnd() || 'document';
    let free = requested;
    let number = this.#taken.get(requested.toLowerCase()) ?? 1;
    while (this.#taken.has(free.toLowerCase())) {
      const end = ` (${++number})`;
      free = requested.slice(0, maxDocumentName - end.length).trimEnd() + end;
    }
    this.#taken.set(requested.toLowerCase(), number);
    this.#taken.set(free.toLowerCase(), this.#taken.get(free.toLowerCase()) ?? 1);
    return free;
  }
}

function writeImage(source: JsonObject): JsonObject {
  const format = String(source.media_type).replace('image/', '');
  if (typeof source.data !== 'string' || !imageFormats.has(format))
    throw new AppError('unsupported_feature', {
      detail: `images of type ${String(source.media_type ?? source.type)}`,
    });
  return { image: { format, source: { bytes: source.data } } };
}

function writeDocument(block: JsonObject, source: JsonObject, names: DocumentNames): JsonObject {
  const data = typeof source.data === 'string' ? source.data : undefined;
  const format = documentFormats[String(source.media_type)];
  if (data === undefined || format === undefined)
    throw new AppError('unsupported_feature', {
      detail: `files of type ${String(source.media_type ?? source.type)}`,
    });
  const bytes = source.type === 'text' ? Buffer.from(data).toString('base64') : data;
  return { document: { format, name: names.take(block.title), source: { bytes } } };
}

/** One block of a messages body as Converse's. */
function writeBlock(block: JsonObject, names: DocumentNames): JsonObject[] {
  const source = (recordOf(block.source) ?? {}) as JsonObject;
  switch (block.type) {
    case 'text':
      return [{ text: block.text ?? '' }];
    case 'image':
      return [writeImage(source)];
    case 'document':
      return [writeDocument(block, source, names)];
    case 'thinking':
      return [
        {
          reasoningContent: {
            reasoningText: { text: block.thinking ?? '', signature: block.signature ?? '' },
          },
        },
      ];
    case 'redacted_thinking':
      return [{ reasoningContent: { redactedContent: block.data ?? '' } }];
    case 'tool_use':
      return [
        {
          toolUse: { toolUseId: block.id ?? '', name: block.name ?? '', input: block.input ?? {} },
        },
      ];
    case 'tool_result': {
      const content = (recordsOf(block.content) as readonly JsonObject[]).flatMap((one) =>
        writeBlock(one, names),
      );
      const status = block.is_error === true ? 'error' : undefined;
      const filled = content.length > 0 ? content : [{ text: ' ' }];
      return [{ toolResult: compact({ toolUseId: block.tool_use_id, content: filled, status }) }];
    }
    default:
      return [];
  }
}

function writeBlocks(blocks: readonly JsonObject[], names: DocumentNames): JsonObject[] {
  return blocks.flatMap((block) => [
    ...writeBlock(block, names),
    ...(block.cache_control === undefined ? [] : [cachePoint]),
  ]);
}

function toolSpec(
  name: string,
  description: string | undefined,
  schema: JsonObject | undefined,
): JsonObject {
  return { toolSpec: compact({ name, description, inputSchema: { json: inputSchema(schema) } }) };
}

function writeFunction(tool: FunctionTool): JsonObject[] {
  const spec = toolSpec(tool.name, tool.description, tool.parameters);
  return tool.cacheControl === undefined ? [spec] : [spec, cachePoint];
}

/** Tools that only earlier turns used have to be declared too. */
function namesInHistory(request: ChatRequest): readonly string[] {
  return request.messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.name] : []))
      : [],
  );
}

function writeToolChoice(choice: ToolChoice | undefined): JsonObject | undefined {
  if (choice === undefined || choice.type === 'none') return undefined;
  if (choice.type === 'tool') return { tool: { name: choice.name } };
  return choice.type === 'required' ? { any: {} } : { auto: {} };
}

/** The stand-in tool has to be called, or one of the caller's own where it may call them. */
function chooseAnswer(choice: ToolChoice | undefined): JsonObject {
  if (choice?.type === 'none') return { tool: { name: jsonToolName } };
  return choice?.type === 'tool' ? { tool: { name: choice.name } } : { any: {} };
}

/** A JSON schema for the answer is the input of a tool. */
function writeToolConfig(request: ChatRequest): JsonObject | undefined {
  const format = request.responseFormat;
  const history = namesInHistory(request);
  const offered =
    request.toolChoice?.type === 'none' && history.length === 0 ? [] : (request.tools ?? []);
  const functions = offered.filter((tool) => tool.type === 'function');
  if (functions.length < offered.length)
    throw new AppError('unsupported_feature', { detail: 'tools of the provider (Bedrock)' });
  const declared = new Set(functions.map((tool) => tool.name));
  const tools = functions.flatMap(writeFunction);
  for (const name of new Set(history))
    if (!declared.has(name)) tools.push(toolSpec(name, undefined, undefined));
  if (format?.type === 'json-schema') {
    tools.push(toolSpec(jsonToolName, 'Gives the answer.', format.schema));
    return {
      tools,
      toolChoice: chooseAnswer(functions.length > 0 ? request.toolChoice : { type: 'none' }),
    };
  }
  return tools.length === 0
    ? undefined
    : compact({ tools, toolChoice: writeToolChoice(request.toolChoice) });
}

/** Where the caller names no limit: what a reply gets beside its thinking. */
const usualReply = 4096;

/**
 * Thinking behind the ARN of a profile, which does not say whose model it is: the name that the
 * caller requested does. Where that says nothing, only a budget is sent, which only Claude takes.
 */
function arnThinking(request: ChatRequest, model: string, written: WrittenMessages): Thinking {
  const { reasoning, maxOutputTokens } = request;
  const maxTokens = maxOutputTokens || usualReply;
  if (!model.startsWith('arn:') || hasLostThinking(written)) return { maxTokens };
  if (canThink(request.model)) return requestedThinking(request.model, reasoning, maxTokens);
  const budget = reasoning?.budgetTokens ?? 0;
  return budget > 0
    ? { thinking: { type: 'enabled', budget_tokens: budget }, maxTokens }
    : { maxTokens };
}

/** Fields that Converse does not have, in the model's own form. */
function writeModelFields(
  { topK }: ChatRequest,
  model: string,
  { thinking, effort }: Thinking,
): JsonObject | undefined {
  const nova = model.includes('nova-') && topK !== undefined ? { topK } : undefined;
  const fields = compact({
    thinking,
    output_config: effort === undefined ? undefined : { effort },
    inferenceConfig: nova,
    top_k: nova === undefined && !isThinking(thinking) ? topK : undefined,
  });
  return Object.keys(fields).length > 0 ? fields : undefined;
}

function isThinking(thinking: JsonObject | undefined): boolean {
  return thinking !== undefined && thinking.type !== 'disabled';
}

/**
 * Only Claude proves its thinking, and only Claude takes it back; others refuse the conversation
 * with it. Behind the ARN of a profile there may be any model.
 */
function takenBack(messages: readonly ChatMessage[], model: string): readonly ChatMessage[] {
  if (model.startsWith('arn:')) return messages;
  return messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, content: message.content.filter((part) => part.type !== 'reasoning') }
      : message,
  );
}

/**
 * Penalties, seed, log probabilities and several choices have no place in Converse and are left
 * out. Throws AppError('unsupported_feature') for media it does not take and for tools that a
 * provider would run.
 */
export function writeConverseBody(given: ChatRequest, model: string): JsonObject {
  const request = fitCacheMarks(given);
  const written = writeMessages(takenBack(request.messages, model));
  const names = new DocumentNames();
  const system = writeBlocks(written.system, names);
  if (request.responseFormat?.type === 'json') system.push({ text: jsonInstructions });
  const stopSequences = request.stop?.filter((text) => text.trim() !== '') ?? [];
  const thinking = arnThinking(request, model, written);
  const thinks = isThinking(thinking.thinking);
  const { temperature, maxOutputTokens } = request;
  const inferenceConfig = compact({
    maxTokens: thinks ? thinking.maxTokens : maxOutputTokens || undefined,
    // A model that thinks takes no other sampling.
    temperature: temperature === undefined || thinks ? undefined : Math.min(1, temperature),
    topP: thinks ? undefined : request.topP,
    stopSequences: stopSequences.length > 0 ? stopSequences : undefined,
  });
  const messages: JsonValue = written.messages.map(({ role, content }) => ({
    role,
    content: writeBlocks(content, names),
  }));
  return compact({
    messages,
    system: system.length > 0 ? system : undefined,
    inferenceConfig: Object.keys(inferenceConfig).length > 0 ? inferenceConfig : undefined,
    toolConfig: writeToolConfig(request),
    additionalModelRequestFields: writeModelFields(request, model, thinking),
  });
}

/** Whether the answer comes as the input of the stand-in tool. */
export function conversesByTool(request: ChatRequest | undefined): boolean {
  return request?.responseFormat?.type === 'json-schema';
}
