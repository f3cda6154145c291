/** Addresses at which finished videos are fetched (docs/rules/video.md#links). */
import { createSignedLinks, type SignedLinkDeps } from '../../files/signed-links.ts';

export interface VideoLinks {
  /** For holders of tokens, who send theirs along. */
  forToken(taskId: string): string;
  /** For the console, whose players send no headers: valid for an hour for everybody who has it. */
  forConsole(taskId: string): string;
  /**
   * Whether `signature` is that of the task and `expires` (Unix seconds, as text) and still valid.
   */
  isValid(taskId: string, expires: string, signature: string): boolean;
}

export interface VideoLinkDeps extends SignedLinkDeps {
  /** The address of this site, without a trailing slash. */
  readonly baseUrl: () => string;
}

/** Seconds. */
const linkLife = 3600;

export function createVideoLinks({ baseUrl, ...deps }: VideoLinkDeps): VideoLinks {
  const links = createSignedLinks(deps);
  const subjectOf = (taskId: string): string => `video:${taskId}`;
  return {
    forToken: (taskId) => `${baseUrl()}/v1/videos/${encodeURIComponent(taskId)}/content`,
    forConsole: (taskId) => {
      const query = links.queryFor(subjectOf(taskId), linkLife);
      return `${baseUrl()}/pg/videos/generations/${encodeURIComponent(taskId)}/content?${query}`;
    },
    isValid: (taskId, expires, signature) =>
      links.isValidUntil(subjectOf(taskId), expires, signature),
  };
}
