/**
 * The text of a request: for the check of sensitive words, and for counting where no usage was
 * reported.
 */
import type { RequestBody } from '../body/request-body.ts';
import { callerFormats } from './index.ts';

/**
 * Of every format, not only the caller's: some upstreams read fields that their format does not
 * have.
 */
const promptFields = new Set(Object.values(callerFormats).flatMap((format) => format.promptFields));

/** Members that hold text; everything else (roles, types, data) is structure. */
const textKeys = new Set([
  'content',
  'text',
  'input',
  'prompt',
  'arguments',
  'thinking',
  'system',
  'output',
]);
const dataLimit = 4096;

function collect(value: unknown, key: string, texts: string[]): void {
  if (typeof value === 'string') {
    const isData = value.length > dataLimit && !/\s/.test(value.slice(0, dataLimit));
    if (textKeys.has(key) && !value.startsWith('data:') && !isData) texts.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, key, texts);
  } else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>;
    // The source of a text document; elsewhere data is no text.
    if (fields['type'] === 'text' && typeof fields['data'] === 'string') texts.push(fields['data']);
    for (const [name, item] of Object.entries(fields)) {
      if (name === 'functionResponse' || name === 'function_response') collectAll(item, texts);
      else collect(item, typeof item === 'string' ? name : textKeys.has(name) ? name : key, texts);
    }
  }
}

/**
 * Every text of a document to rank, or of a result of Gemini's callers: its fields may have any
 * name.
 */
function collectAll(value: unknown, texts: string[]): void {
  if (typeof value === 'string') collect(value, 'text', texts);
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) collectAll(item, texts);
}

/**
 * The texts, each on a line of its own. Throws SyntaxError or RangeError on what cannot be read:
 * malformed inside, or nested too deep.
 */
export function readPromptText(body: RequestBody): string {
  const texts: string[] = [];
  for (const name of promptFields) if (body.has(name)) collect(body.get(name), 'content', texts);
  collectAll(body.get('documents'), texts);
  return texts.join('\n');
}

/**
 * The same for counting: empty where it cannot be read, since the upstream has accepted the body by
 * then.
 */
export function promptText(body: RequestBody): string {
  try {
    return readPromptText(body);
  } catch {
    return '';
  }
}
