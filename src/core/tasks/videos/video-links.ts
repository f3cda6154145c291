/** Addresses at which finished videos are fetched (docs/rules/video.md#links). */
import { timingSafeEqual } from 'node:crypto';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';

export interface VideoLinks {
  /** For holders of tokens, who send theirs along. */
  forToken(taskId: string): string;
  /** For the console, whose players send no headers: valid for an hour for everybody who has it. */
  forConsole(taskId: string): string;
  /** Whether `signature` is that of the task and `expires` (Unix seconds, as text) and still valid. */
  isValid(taskId: string, expires: string, signature: string): boolean;
}

export interface VideoLinkDeps {
  /** HMAC-SHA-256 with a key of this site, as hex. */
  readonly sign: (text: string) => string;
  /** The address of this site, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
}

/** Seconds. */
const linkLife = 3600;

export function createVideoLinks({ sign, baseUrl, clock }: VideoLinkDeps): VideoLinks {
  const signatureOf = (taskId: string, expires: string): string => sign(`video:${taskId}:${expires}`);
  return {
    forToken: (taskId) => `${baseUrl()}/v1/videos/${encodeURIComponent(taskId)}/content`,
    forConsole: (taskId) => {
      // Ten minutes share one, so that a page that reads a task again and again shows one video and loads it once.
      const expires = String(Math.ceil(nowSeconds(clock) / 600) * 600 + linkLife);
      const query = `exp=${expires}&sig=${signatureOf(taskId, expires)}`;
      return `${baseUrl()}/pg/videos/generations/${encodeURIComponent(taskId)}/content?${query}`;
    },
    isValid: (taskId, expires, signature) => {
      if (!/^\d{1,12}$/.test(expires) || Number(expires) < nowSeconds(clock)) return false;
      const expected = Buffer.from(signatureOf(taskId, expires));
      const given = Buffer.from(signature);
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}
