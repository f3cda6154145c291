/** The cookies that the gateway sets. */
import type { Request, Response } from 'express';
import { sessionCookie } from '../../core/accounts/request-credentials.ts';
import type { App } from '../../core/app.ts';
import type { PreLoginCookie } from '../handlers/context.ts';
import { deviceCookieName, preLoginName, readDevice, readPreLogin } from './authentication.ts';
import { factsOf } from './request-facts.ts';

/** The login of a browser, until it ends. */
export function setSessionCookie(
  app: App,
  request: Request,
  response: Response,
  token: string,
): void {
  response.cookie(sessionCookie, token, {
    ...cookieOptions(app.config, request),
    maxAge: app.accounts.sessions.maxAge * 1000,
  });
}

/** The browser is known for this account from now on (docs/rules/accounts.md#known-browsers). */
export function setDeviceCookie(
  app: App,
  request: Request,
  response: Response,
  userId: number,
): void {
  const { devices } = app.accounts;
  const value = devices.note(readDevice(request), userId);
  response.cookie(deviceCookieName, value, {
    ...cookieOptions(app.config, request),
    maxAge: devices.maxAge * 1000,
  });
}

export function preLoginCookie(app: App, request: Request, response: Response): PreLoginCookie {
  const { preLogins } = app.accounts;
  let token = readPreLogin(app, request);
  return {
    read: () => token,
    open: () => {
      token ??= preLogins.newToken();
      response.cookie(preLoginName, token, {
        ...cookieOptions(app.config, request),
        maxAge: preLogins.maxAge * 1000,
      });
      return token;
    },
  };
}

/** docs/rules/accounts.md#session-cookie. */
export function cookieOptions({ cookieSecure }: App['config'], request: Request) {
  const secure = cookieSecure || factsOf(request).isSecure;
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}
