/** A vendor's own judgement of errors that come within a reply or a stream (its table of codes). */
import type { ProviderError } from '../canonical.ts';
import type { StreamDecoder } from '../provider.ts';
import { ReplyFailure } from './failure.ts';

export type JudgeError = (error: ProviderError) => ProviderError;

/** What `read` answers; a ReplyFailure it throws is judged. */
export function judgeReply<T>(judge: JudgeError, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ReplyFailure ? new ReplyFailure(judge(error.error)) : error;
  }
}

/** The decoder, its errors judged. */
export function judgeStream(judge: JudgeError, decoder: StreamDecoder): StreamDecoder {
  const judged = (parts: ReturnType<StreamDecoder['end']>) =>
    parts.map((part) => (part.type === 'error' ? { ...part, error: judge(part.error) } : part));
  return {
    push: (event) => judged(decoder.push(event)),
    end: () => judged(decoder.end()),
  };
}
