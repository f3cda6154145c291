/** What a request says to a model, as text: for the sensitive-word check and for counting where usage never came. */
import type { RequestBody } from '../body/request-body.ts';

/** Fields of the formats in which people's texts stand; what is under them is walked whole. */
const textFields = [
  'messages',
  'system',
  'prompt',
  'input',
  'instructions',
  'suffix',
  'query',
  'contents',
  'content',
  'requests',
  'systemInstruction',
  'system_instruction',
];
/** Members that hold text; everything else (roles, types, data) is structure. */
const textKeys = new Set(['content', 'text', 'input', 'prompt', 'arguments', 'thinking', 'system', 'output']);
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

/** Every text of a document to rank, or of a result of Gemini's callers: its fields may have any name. */
function collectAll(value: unknown, texts: string[]): void {
  if (typeof value === 'string') collect(value, 'text', texts);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) collectAll(item, texts);
}

/** The texts, each on a line of its own. Throws SyntaxError or RangeError on what cannot be read: malformed inside, or nested beyond reason. */
export function readPromptText(body: RequestBody): string {
  const texts: string[] = [];
  for (const name of textFields) if (body.has(name)) collect(body.get(name), 'content', texts);
  collectAll(body.get('documents'), texts);
  return texts.join('\n');
}

/** The same for counting: nothing where it cannot be read, since the upstream has judged the body by then. */
export function promptText(body: RequestBody): string {
  try {
    return readPromptText(body);
  } catch {
    return '';
  }
}
