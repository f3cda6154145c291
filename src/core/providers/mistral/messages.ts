/**
 * OpenAI's messages → Mistral's, which refuses every field it does not know
 * (docs/rules/providers.md#mistral).
 */
import { createHash } from 'node:crypto';
import { compact, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

const idLength = 9;

/**
 * Ids of calls have exactly nine letters and digits; others become nine by a hash, the same for
 * call and result.
 */
export function mistralCallId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, idLength);
}

function writeFile(file: Readonly<Record<string, unknown>>): JsonObject {
  const data = textOf(file.file_data);
  if (data === undefined) throw new AppError('unsupported_feature', { detail: 'files by id' });
  return { type: 'document_url', document_url: data };
}

function writePart(part: Readonly<Record<string, unknown>>): JsonObject {
  switch (part.type) {
    case 'image_url':
      return { type: 'image_url', image_url: textOf(recordOf(part.image_url)?.url) ?? '' };
    case 'input_audio':
      return { type: 'input_audio', input_audio: textOf(recordOf(part.input_audio)?.data) ?? '' };
    case 'file':
      return writeFile(recordOf(part.file) ?? {});
    default:
      return { type: 'text', text: textOf(part.text) ?? '' };
  }
}

function writeContent(content: unknown): JsonValue {
  return Array.isArray(content) ? recordsOf(content).map(writePart) : (textOf(content) ?? '');
}

function writeCalls(calls: unknown): JsonObject[] {
  return recordsOf(calls).map((call) => {
    const target = recordOf(call.function);
    const name = textOf(target?.name) ?? '';
    return {
      id: mistralCallId(textOf(call.id) ?? name),
      type: 'function',
      function: { name, arguments: textOf(target?.arguments) ?? '{}' },
    };
  });
}

/** Undefined for an assistant message without text or calls, which is refused. */
function writeAssistant(message: Readonly<Record<string, unknown>>): JsonObject | undefined {
  const calls = writeCalls(message.tool_calls);
  const content = textOf(message.content) ?? textOf(message.refusal) ?? '';
  if (content === '' && calls.length === 0) return undefined;
  return compact({ role: 'assistant', content, tool_calls: calls.length > 0 ? calls : undefined });
}

function writeMessage(message: Readonly<Record<string, unknown>>): JsonObject | undefined {
  switch (message.role) {
    case 'assistant':
      return writeAssistant(message);
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: mistralCallId(textOf(message.tool_call_id) ?? ''),
        content: textOf(message.content) ?? '',
      };
    default:
      return {
        role: message.role === 'system' ? 'system' : 'user',
        content: writeContent(message.content),
      };
  }
}

/**
 * System messages are accepted before the first turn only: later ones become user messages. A tool
 * result must be followed by an assistant message before the next user message. A final assistant
 * message is a beginning that the model continues (`prefix`).
 */
export function writeMistralMessages(messages: JsonValue | undefined): JsonObject[] {
  const written: JsonObject[] = [];
  let begun = false;
  for (const given of recordsOf(messages)) {
    const late = given.role === 'system' && begun;
    const message = writeMessage(late ? { ...given, role: 'user' } : given);
    if (message === undefined) continue;
    begun ||= message.role !== 'system';
    if (message.role === 'user' && written.at(-1)?.role === 'tool')
      written.push({ role: 'assistant', content: '...' });
    written.push(message);
  }
  const last = written.at(-1);
  if (last?.role === 'assistant' && last.tool_calls === undefined)
    written[written.length - 1] = { ...last, prefix: true };
  return written;
}
