/** How large a reply in one piece may be (docs/rules/streams.md#reply-limits). */
import { AppError } from '../../kernel/errors.ts';
import type { Operation } from '../../vocabulary/operations.ts';
import { holdsMoreValues } from '../body/scan-body.ts';
import type { RelayJob } from '../job.ts';

/** Parts of MAX_REPLY_MB. Replies with media, or with thousands of vectors, may have all of it. */
const media = 1;
/** Conversations may hold a few images. */
const conversation = 1 / 2;
const text = 1 / 4;

const shareOf: Readonly<Record<Operation, number>> = {
  image: media,
  'image-edit': media,
  speech: media,
  embedding: media,
  chat: conversation,
  responses: conversation,
  realtime: conversation,
  completion: text,
  moderation: text,
  transcription: text,
  translation: text,
  rerank: text,
};

/** In bytes. */
export function replyLimit({ deps, format }: RelayJob): number {
  return Math.floor(deps.limits.maxReplyBytes * shareOf[format.operation]);
}

/** Bytes of JSON below which the number of values needs no limit. */
const harmlessJson = 1024 * 1024;
/** JSON values of a reply: up to a hundred bytes each once they are parsed. */
const mostValues = 1_000_000;
/** The longest lists of vectors have some six million numbers. */
const mostNumbers = 10_000_000;

/** Refuses a text that would grow a lot once it is parsed. Throws AppError bad_response_body. */
export function checkValues(bytes: Buffer, operation: Operation): void {
  if (bytes.length <= harmlessJson) return;
  const most = operation === 'embedding' ? mostNumbers : mostValues;
  if (holdsMoreValues(bytes, most))
    throw new AppError('bad_response_body', { detail: `more than ${most} JSON values` });
}
