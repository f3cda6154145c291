import { AppError } from '../../kernel/errors.ts';
import { isObject, parseJson } from '../../kernel/json.ts';
import type { Logger } from '../../kernel/logger.ts';
import { hasNul } from '../../kernel/nul.ts';
import type { WireRequest } from '../../upstream/exchange.ts';
import type { Upstream } from '../../upstream/send.ts';

export type ProviderRequest = Pick<WireRequest, 'method' | 'url' | 'headers' | 'body'>;

/**
 * Calls to providers, whose hosts the operator sets: they may be private
 * (docs/rules/accounts.md#provider-calls).
 */
export interface ProviderClient {
  /**
   * The JSON object of a successful reply. Throws AppError provider_failed with `label`; the reason
   * goes to the log.
   */
  read(label: string, request: ProviderRequest): Promise<Readonly<Record<string, unknown>>>;
  /** The same for a JSON list. */
  readList(label: string, request: ProviderRequest): Promise<readonly unknown[]>;
}

const timeout = 10_000;
const maxReplyBytes = 1024 * 1024;

export function createProviderClient(
  upstream: Pick<Upstream, 'collect'>,
  logger: Logger,
): ProviderClient {
  const fail = (label: string, { url }: ProviderRequest, reason: object): AppError => {
    logger.warn(
      { provider: label, url: withoutQuery(url), ...reason },
      'a sign-in provider did not answer as expected',
    );
    return new AppError('provider_failed', { provider: label });
  };
  const collect = async (label: string, request: ProviderRequest) => {
    const limits = { firstByteTimeout: timeout, idleTimeout: timeout, totalTimeout: timeout };
    const headers = { accept: 'application/json', 'user-agent': 'turnpike', ...request.headers };
    try {
      return await upstream.collect({ ...request, headers, ...limits }, maxReplyBytes);
    } catch (error) {
      throw fail(label, request, { error: String(error) });
    }
  };
  const readJson = async (label: string, request: ProviderRequest): Promise<unknown> => {
    const { status, bytes } = await collect(label, request);
    const reply = parseJson(bytes.toString('utf8'));
    if (status >= 200 && status < 300) return reply;
    throw fail(label, request, { status, error: isObject(reply) ? textOf(reply['error']) : '' });
  };
  return {
    read: async (label, request) => {
      const reply = await readJson(label, request);
      if (isObject(reply)) return reply;
      throw fail(label, request, { error: 'the reply is no JSON object' });
    },
    readList: async (label, request) => {
      const reply = await readJson(label, request);
      if (Array.isArray(reply)) return reply;
      throw fail(label, request, { error: 'the reply is no JSON list' });
    },
  };
}

/** Codes of authorization and other values are in the query. */
function withoutQuery(url: string): string {
  return url.split('?')[0] ?? '';
}

/**
 * A field of a reply as a text: '' where it is absent, of another type, or a text with NUL, which
 * PostgreSQL does not store. Ids are numbers at some providers.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return hasNul(value) ? '' : value;
  return Number.isSafeInteger(value) ? String(value) : '';
}

/** The body of a form. */
export function formBody(
  fields: Readonly<Record<string, string>>,
): Pick<ProviderRequest, 'headers' | 'body'> & { method: 'POST' } {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

/**
 * Adds parameters to an address that may have some. Throws AppError provider_failed where there is
 * no address.
 */
export function withQuery(
  label: string,
  address: string,
  fields: Readonly<Record<string, string>>,
): string {
  if (!URL.canParse(address)) throw new AppError('provider_failed', { provider: label });
  const url = new URL(address);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}
