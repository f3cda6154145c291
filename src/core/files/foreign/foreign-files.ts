/**
 * Pictures, music and videos of other sites, which a signed-in user asked to see
 * (docs/rules/files.md#foreign-files).
 */
import type { WindowCounter } from '../../cluster/cluster.ts';
import { AppError } from '../../kernel/errors.ts';
import { foreignFilePath, isWebAddress } from '../../kernel/shown-addresses.ts';
import type { GuardPolicy } from '../../upstream/guard.ts';
import type { ContentReply, ContentRequest } from '../content-reply.ts';
import { forwardResult } from '../results/forward-result.ts';
import type { SignedLinks } from '../signed-links.ts';

export interface ForeignFiles {
  /**
   * A path of this site at which this user, and nobody else, gets the file for an hour. Throws
   * AppError invalid_parameter, rate_limited.
   */
  link(userId: number, address: string): Promise<string>;
  /**
   * What such a path shows. Throws AppError result_link_invalid, result_gone, result_unreachable,
   * address_not_allowed, file_too_large.
   */
  open(userId: number, query: ForeignQuery, request: ContentRequest): Promise<ContentReply>;
}

/** The query of a {@link ForeignFiles.link}. */
export interface ForeignQuery {
  readonly address: string;
  readonly exp: string;
  readonly sig: string;
}

export interface ForeignFilesDeps {
  readonly links: SignedLinks;
  readonly guard: GuardPolicy;
  /** Links per user. */
  readonly counter: WindowCounter;
}

/** Seconds. */
const linkLife = 3600;
const windowMs = 600_000;
const maxLinksPerWindow = 120;
const maxAddressCharacters = 4096;
const maxBytes = 200 * 1024 * 1024;
const totalTimeout = 600_000;

const isShown = (declared: string): boolean =>
  /^(image|audio|video)\/[\w.+-]+\s*(;|$)/i.test(declared.trim());
/**
 * Among pictures are SVG documents; the policy of all files of others keeps them from running or
 * loading anything.
 */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function createForeignFiles({ links, guard, counter }: ForeignFilesDeps): ForeignFiles {
  const subjectOf = (userId: number, address: string): string => `foreign:${userId}:${address}`;
  return {
    link: async (userId, address) => {
      if (address.length > maxAddressCharacters || !isWebAddress(address))
        throw new AppError('invalid_parameter', { field: 'address' });
      const { count, remainingMs } = await counter.increment(String(userId), windowMs);
      if (count > maxLinksPerWindow)
        throw new AppError('rate_limited', { seconds: Math.max(1, Math.ceil(remainingMs / 1000)) });
      const query = links.queryFor(subjectOf(userId, address), linkLife);
      return `${foreignFilePath}?address=${encodeURIComponent(address)}&${query}`;
    },
    open: async (userId, { address, exp, sig }, request) => {
      if (!links.isValidUntil(subjectOf(userId, address), exp, sig))
        throw new AppError('result_link_invalid');
      const reply = await forwardResult(address, guard, request, {
        accepts: isShown,
        maxBytes,
        totalTimeout,
      });
      return {
        ...reply,
        headers: {
          ...reply.headers,
          'Content-Security-Policy': policy,
          'Cross-Origin-Resource-Policy': 'same-origin',
        },
      };
    },
  };
}
