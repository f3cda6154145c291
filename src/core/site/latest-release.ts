/**
 * The latest public release of the program, as a code host reports it
 * (docs/rules/options.md#latest-release).
 */

import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { z } from '../kernel/zod.ts';

export interface LatestRelease {
  /** Its version, such as `v1.2.0`. */
  readonly tag_name: string;
  /** What changed, in Markdown. '' where the host names nothing. */
  readonly body: string;
}

export interface LatestReleaseDeps {
  /** The address that is read; '' where there is none. */
  readonly address: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Milliseconds that a reply is reused. */
const reusedFor = 60 * 60 * 1000;
const timeLimit = 10_000;
/** Release notes are a few kilobytes. */
const largestReply = 1024 * 1024;

/** GitHub's API and those that follow it (Gitea, Forgejo). */
const replySchema = z.object({ tag_name: z.string().min(1).max(200), body: z.string().nullish() });

/**
 * Reads the latest release. The server asks, so that the code host does not learn who administers
 * the site; a reply is reused for an hour, a failure is not. Throws AppError
 * release_address_missing, release_lookup_failed.
 */
export function createLatestRelease({
  address,
  clock,
  logger,
}: LatestReleaseDeps): () => Promise<LatestRelease> {
  let known: { readonly release: LatestRelease; readonly until: number } | undefined;
  return async () => {
    if (address === '') throw new AppError('release_address_missing');
    if (known !== undefined && clock.now() < known.until) return known.release;
    try {
      const release = await readRelease(address);
      known = { release, until: clock.now() + reusedFor };
      return release;
    } catch (cause) {
      logger.warn({ error: cause }, 'the latest release could not be read');
      throw new AppError('release_lookup_failed', {}, { cause });
    }
  };
}

async function readRelease(address: string): Promise<LatestRelease> {
  const response = await fetch(address, {
    headers: { Accept: 'application/json', 'User-Agent': 'turnpike' },
    signal: AbortSignal.timeout(timeLimit),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { tag_name, body } = replySchema.parse(JSON.parse(await readText(response)));
  return { tag_name, body: body ?? '' };
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > largestReply) throw new Error('the reply is too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
