/**
 * Cohere's chat body → the canonical request (Cohere API reference, Chat;
 * docs/rules/formats.md#cohere-callers).
 */
import type {
  ChatMessage,
  ChatRequest,
  Reasoning,
  ResponseFormat,
  Tool,
  ToolChoice,
} from '../../../canonical/chat.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { isList } from '../../../upstream/rules/json-path.ts';
import { Fields, readModel } from '../shared/fields.ts';
import { readMessage, textOfDocument } from './messages.ts';

const known: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'tools',
  'strict_tools',
  'documents',
  'response_format',
  'max_tokens',
  'stop_sequences',
  'temperature',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'k',
  'p',
  'logprobs',
  'tool_choice',
  'thinking',
]);

/** Documents as a system message in front: no other format has a place for them. */
function readDocuments(fields: Fields): ChatMessage[] {
  const documents = fields.raw('documents');
  if (documents === undefined) return [];
  if (!isList(documents)) return fields.fail('documents must be a list');
  const texts = documents.map((document, index) => {
    const { id = `doc:${index}`, data = document } = isObject(document) ? document : {};
    return `<document id=${JSON.stringify(id)}>\n${textOfDocument(data)}\n</document>`;
  });
  if (texts.length === 0) return [];
  return [
    {
      role: 'system',
      content: [{ type: 'text', text: `Base the answer on these documents:\n${texts.join('\n')}` }],
    },
  ];
}

function readTools(fields: Fields): readonly Tool[] | undefined {
  const strict = fields.flag('strict_tools');
  return fields.objects('tools')?.map((tool): Tool => {
    const definition = tool.object('function') ?? tool.fail(`${tool.path}.function is required`);
    return {
      type: 'function',
      name: definition.requiredText('name'),
      description: definition.text('description'),
      parameters: definition.objectValue('parameters'),
      strict,
    };
  });
}

function readToolChoice(fields: Fields): ToolChoice | undefined {
  const choice = fields.text('tool_choice')?.toUpperCase();
  if (choice === undefined) return undefined;
  if (choice === 'REQUIRED') return { type: 'required' };
  return choice === 'NONE' ? { type: 'none' } : fields.fail('tool_choice must be REQUIRED or NONE');
}

function readFormat(fields: Fields): ResponseFormat | undefined {
  const format = fields.object('response_format');
  if (format?.text('type') !== 'json_object') return undefined;
  const schema = format.objectValue('json_schema') ?? format.objectValue('schema');
  return schema === undefined ? { type: 'json' } : { type: 'json-schema', name: 'output', schema };
}

function readReasoning(fields: Fields): Reasoning | undefined {
  const thinking = fields.object('thinking');
  if (thinking === undefined) return undefined;
  if (thinking.text('type') === 'disabled') return { effort: 'none' };
  return { budgetTokens: thinking.count('token_budget'), include: true };
}

/** Throws AppError('model_required' | 'invalid_text_request', {detail}). */
export function readCohereRequest(body: JsonObject): ChatRequest {
  const fields = new Fields(body, 'invalid_text_request');
  const model = readModel(fields);
  const messages = fields.objects('messages') ?? [];
  if (messages.length === 0) fields.fail('field messages is required');
  return {
    model,
    messages: [...readDocuments(fields), ...messages.map(readMessage)],
    stream: fields.flag('stream') ?? false,
    maxOutputTokens: fields.count('max_tokens'),
    temperature: fields.number('temperature'),
    topP: fields.number('p'),
    topK: fields.number('k'),
    stop: fields.texts('stop_sequences'),
    seed: fields.number('seed'),
    frequencyPenalty: fields.number('frequency_penalty'),
    presencePenalty: fields.number('presence_penalty'),
    tools: readTools(fields),
    toolChoice: readToolChoice(fields),
    responseFormat: readFormat(fields),
    reasoning: readReasoning(fields),
    origin: 'cohere-chat',
    extra: fields.without(known),
  };
}
