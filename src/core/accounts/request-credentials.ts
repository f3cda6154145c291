/**
 * The credentials of the console API in a request's headers
 * (docs/rules/console-api.md#credentials).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie } from 'cookie';
import type { Credentials } from './authentication.ts';

export const sessionCookie = 'session';

/** A header as one text; undefined where it is missing. */
export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** Cookie, then `server-token`, then the system access token. `ip`: the caller's address. */
export function readCredentials(headers: IncomingHttpHeaders, ip: string): Credentials {
  const cookie = parseCookie(headers.cookie ?? '')[sessionCookie];
  const header = headerText(headers, 'server-token');
  return {
    sessions: [
      ...(cookie ? [{ token: cookie, byCookie: true }] : []),
      ...(header ? [{ token: header, byCookie: false }] : []),
    ],
    accessToken: readAuthorization(headers),
    userId: readUserId(headers),
    ip,
  };
}

export function readUserId(headers: IncomingHttpHeaders): string | undefined {
  return headerText(headers, 'new-api-user') ?? headerText(headers, 'user-id');
}

/** The `Authorization` header, bare or behind `Bearer`. */
export function readAuthorization({ authorization }: IncomingHttpHeaders): string | undefined {
  const text = authorization?.replace(/^Bearer\s+/i, '').trim();
  return text === '' ? undefined : text;
}
