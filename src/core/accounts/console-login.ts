/**
 * Requests of the console to the relay: a login of this site, instead of a token
 * (docs/rules/relay.md#playground).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../kernel/errors.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage, User } from '../storage/storage.ts';
import type { Authentication } from './authentication.ts';
import { requireCallAllowed } from './call-access.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { RateLimits } from './rate-limits.ts';
import { headerText, readCredentials } from './request-credentials.ts';

/**
 * The user whose session sent the request. `address`: the caller's. Throws AppError rate_limited,
 * cross_site_request, access_token_not_supported, not_signed_in, user_id_*, user_banned, demo_site.
 */
export type ConsoleLogin = (headers: IncomingHttpHeaders, address: string) => Promise<User>;

export interface ConsoleLoginDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly limits: Pick<RateLimits, 'api'>;
  readonly authenticate: Authentication['authenticate'];
}

/** Where programs put keys: tokens of users and system access tokens. */
const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];

export function bindConsoleLogin({
  storage,
  options,
  limits,
  authenticate,
}: ConsoleLoginDeps): ConsoleLogin {
  return async (headers, address) => {
    await limits.api(address);
    refuseCrossSite(headers, options.get('ServerAddress'));
    const credentials = { ...readCredentials(headers, address), accessToken: undefined };
    const found = await authenticate(credentials, { checksUserId: true, optional: false });
    if (found === null) {
      const hasKey = keyHeaders.some((name) => headerText(headers, name) !== undefined);
      throw new AppError(hasKey ? 'access_token_not_supported' : 'not_signed_in');
    }
    const isDemoSite = options.get('DemoSiteEnabled');
    requireCallAllowed({ access: 'user', changes: true, actor: found.actor, isDemoSite });
    const user = await storage.users.find(found.actor.id);
    if (user === null) throw new AppError('not_signed_in');
    return user;
  };
}
