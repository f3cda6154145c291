import { isObject, type JsonValue } from '../../kernel/json.ts';
import { type WireFormat, wireFormats } from '../../vocabulary/wire-formats.ts';
import type { ReasoningPart } from '../chat.ts';
import type { BodyFields } from '../pass-through.ts';

/**
 * Begins every thinking signature (Anthropic's `signature`, `encrypted_content` of Responses,
 * Gemini's `thoughtSignature`) or source's signature (Anthropic's `encrypted_index`) in output of
 * other providers than the format's own. Alone it says that there is none where callers expect one.
 * Providers would refuse it, so it is removed when a caller sends it back
 * (docs/rules/formats.md#foreign-signatures).
 */
export const foreignSignature = 'turnpike-no-signature';

type Signed = Pick<ReasoningPart, 'signature' | 'redacted' | 'origin' | 'id'>;

/**
 * The signature of thinking in the place for one of another format, with where it belongs; only the
 * mark where there is none.
 */
export function carrySignature({ signature, redacted, origin, id }: Signed): string {
  const value = redacted ?? signature;
  if (origin === undefined || value === undefined) return foreignSignature;
  const kind = redacted === undefined ? 'signature' : 'redacted';
  return [foreignSignature, origin, kind, encodeURIComponent(id ?? ''), value].join(':');
}

function isWireFormat(text: string | undefined): text is WireFormat {
  return wireFormats.some((format) => format === text);
}

/** The signature that {@link carrySignature} wrote; {} for any other text. */
export function readCarried(text: string): Signed {
  if (!isForeign(text)) return {};
  const [, origin, kind, id = '', ...rest] = text.split(':');
  const value = rest.join(':');
  if (!isWireFormat(origin) || value === '') return {};
  const named = id === '' ? { origin } : { origin, id: decodeURIComponent(id) };
  return kind === 'redacted' ? { ...named, redacted: value } : { ...named, signature: value };
}

export function isForeign(signature: unknown): boolean {
  return typeof signature === 'string' && signature.startsWith(foreignSignature);
}

/** Google's signatures are base64: the mark in it, a whole number of groups of three bytes. */
const foreignBytes = Buffer.from(foreignSignature).toString('base64');

export function carryBytes(part: Signed): string {
  return Buffer.from(carrySignature(part)).toString('base64');
}

export function readCarriedBytes(text: string): Signed {
  return isForeignBytes(text) ? readCarried(Buffer.from(text, 'base64').toString()) : {};
}

export function isForeignBytes(signature: unknown): boolean {
  return typeof signature === 'string' && signature.startsWith(foreignBytes);
}

function hasForeignIndex(citation: JsonValue): boolean {
  return isObject(citation) && isForeign(citation.encrypted_index);
}

/** The block without its citations where they carry the mark; no block where all of it does. */
function stripBlock(block: JsonValue): readonly JsonValue[] {
  if (!isObject(block)) return [block];
  if (isForeign(block.signature) || isForeign(block.data)) return [];
  if (
    !Array.isArray(block.citations) ||
    !(block.citations as readonly JsonValue[]).some(hasForeignIndex)
  )
    return [block];
  const { citations: _, ...rest } = block as Record<string, JsonValue>;
  return [rest];
}

/** Messages in Anthropic's form without the thinking and the citations that carry the mark. */
export function stripForeignSignatures(messages: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(messages)) return messages;
  return (messages as readonly JsonValue[]).map((message): JsonValue => {
    if (!isObject(message) || !Array.isArray(message.content)) return message;
    const content = (message.content as readonly JsonValue[]).flatMap(stripBlock);
    return { ...(message as Record<string, JsonValue>), content };
  });
}

/** Input items of the Responses wire without the reasoning that carries the mark. */
export function stripForeignReasoning(input: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(input)) return input;
  return (input as readonly JsonValue[]).filter(
    (item) => !isObject(item) || !isForeign(item.encrypted_content),
  );
}

/** Gemini's contents without the thoughts that carry the mark. */
export function stripForeignThoughts(contents: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(contents)) return contents;
  return (contents as readonly JsonValue[]).flatMap((content): readonly JsonValue[] => {
    if (!isObject(content) || !Array.isArray(content.parts)) return [content];
    const parts = (content.parts as readonly JsonValue[]).filter(
      (part) => !isObject(part) || !isForeignBytes(part.thoughtSignature ?? part.thought_signature),
    );
    return parts.length === 0 ? [] : [{ ...(content as Record<string, JsonValue>), parts }];
  });
}

/** Whether a Gemini body has the mark anywhere. */
export function holdsForeignThoughts(fields: Pick<BodyFields, 'contains'>): boolean {
  return fields.contains?.(foreignBytes) === true;
}
