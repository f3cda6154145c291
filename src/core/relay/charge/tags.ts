/**
 * The tags of a request: what its header names, the agent that sent it, and what it tells its vendor
 * in `metadata` (docs/rules/tags.md#where). A header is meant for us, so what is wrong in it is an
 * error; metadata is not, so what is no tag is left out of it.
 */
import type { BodyFields } from '../../canonical/pass-through.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { agentNamed } from '../../vocabulary/agents.ts';
import { isTag, longestTag, mostTags } from '../../vocabulary/tags.ts';
import type { CallerContext } from '../context.ts';

export const tagsHeader = 'x-turnpike-tags';

/** Bytes of metadata that are read; more has no tags. */
const longestMetadata = 16 * 1024;

const none: readonly string[] = [];

/** Throws AppError tags_invalid. */
export function tagsOf(
  { request: { headers } }: Pick<CallerContext, 'request'>,
  body?: BodyFields,
): readonly string[] {
  const header = headers[tagsHeader];
  const agent = agentNamed(headers['user-agent']);
  const hasMetadata = body?.has('metadata') === true;
  if (header === undefined && agent === undefined && !hasMetadata) return none;
  const tags = new Set(header === undefined ? none : readHeader(String(header)));
  const add = (tag: string) => {
    if (tags.size < mostTags && isTag(tag)) tags.add(tag);
  };
  if (agent !== undefined) add(`agent:${agent}`);
  if (body !== undefined && hasMetadata)
    for (const [name, value] of Object.entries(metadataOf(body)))
      if (typeof value === 'string') add(`${name}:${value}`);
  return [...tags];
}

/** The same for a row about a request that failed: what is wrong in a header is left out. */
export function tagsIfValid(
  context: Pick<CallerContext, 'request'>,
  body?: BodyFields,
): readonly string[] {
  try {
    return tagsOf(context, body);
  } catch {
    return none;
  }
}

function readHeader(header: string): readonly string[] {
  const tags: string[] = [];
  for (const part of header.split(',')) {
    const tag = decode(part.trim());
    if (tag === '') continue;
    if (tag === undefined || !isTag(tag) || tags.length >= mostTags)
      throw new AppError('tags_invalid', { tag: (tag ?? part.trim()).slice(0, longestTag) });
    tags.push(tag);
  }
  return tags;
}

/** UTF-8, as it is or percent-encoded; undefined: it is neither. */
function decode(part: string): string | undefined {
  try {
    // Node reads the bytes of headers as Latin-1.
    const text = /[\x80-\xff]/.test(part)
      ? new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'latin1'))
      : part;
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return undefined;
  }
}

function metadataOf(body: BodyFields): Readonly<Record<string, JsonValue>> {
  if ((body.bytesOf?.('metadata')?.length ?? 0) > longestMetadata) return {};
  try {
    const metadata = body.get('metadata');
    return isObject(metadata) ? (metadata as Record<string, JsonValue>) : {};
  } catch {
    // Malformed inside: that is reported where the body is read.
    return {};
  }
}
