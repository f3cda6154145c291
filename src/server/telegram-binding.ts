/**
 * Telegram's widget opens the address of a binding as a page (docs/rules/accounts.md#telegram): the
 * request has no user-id header, and its sender expects a page. All other requests to this path are
 * calls of the console API.
 */
import type { Express, Request } from 'express';
import { requireCallAllowed } from '../core/accounts/call-access.ts';
import type { RateLimits } from '../core/accounts/rate-limits.ts';
import { readUserId } from '../core/accounts/request-credentials.ts';
import type { App } from '../core/app.ts';
import { oauthApi } from '../core/contract/oauth.ts';
import { AppError } from '../core/kernel/errors.ts';
import { failureReply } from './call.ts';
import { textsOf } from './handlers/oauth.ts';
import { identify, readPreLogin } from './middleware/authentication.ts';
import { sendReply } from './middleware/errors.ts';
import { factsOf } from './middleware/request-facts.ts';

const call = oauthApi.telegramBind;

export function mountTelegramBinding(server: Express, app: App, limits: RateLimits): void {
  server.get(call.path, async (request, response, next) => {
    if (readUserId(request.headers) !== undefined) return next();
    response.setHeader('Cache-Control', 'no-store');
    try {
      await bind(app, limits, request);
      response.redirect('/setting');
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'internal_error') throw error;
      if (request.accepts(['json', 'html']) === 'html')
        return response.redirect(`/oauth/telegram?error=${error.code}`);
      sendReply(response, failureReply(call, error, factsOf(request).language));
    }
  });
}

async function bind(app: App, limits: RateLimits, request: Request): Promise<void> {
  const { accounts } = app;
  const { clientIp } = factsOf(request);
  await limits.api(clientIp);
  const { actor, session } = await identify(
    app,
    request,
    { access: 'user', shape: 'code' },
    undefined,
  );
  await limits.critical(clientIp, actor?.id);
  requireCallAllowed({
    access: 'user',
    changes: true,
    actor,
    isDemoSite: app.site.options.get('DemoSiteEnabled'),
  });
  if (actor === null) throw new AppError('not_signed_in');
  const fields = textsOf(request.query);
  const caller = { actor, proof: session, waysIn: call.waysIn ?? [] };
  // Else anybody could bind their own Telegram account to anyone who opens the address, and sign in as
  // them. That our own page opened it proves nothing: it may show an image or a link that somebody
  // else wrote.
  await accounts.visits.endBinding({ token: readPreLogin(app, request), caller }, fields['state']);
  await accounts.bindings.bind(caller, 'telegram', fields);
}
