import type { App } from '../core/app.ts';
import type { Transport } from '../core/contract/client.ts';
import type { Endpoint } from '../core/contract/endpoint.ts';
import { api } from '../core/contract/index.ts';
import type { Language } from '../core/i18n/translate.ts';
import type { Actor } from '../core/kernel/actor.ts';
import { AppError } from '../core/kernel/errors.ts';
import { requestId } from '../core/kernel/request-id.ts';
import { type AnyHandler, performCall } from './call.ts';
import type { CallContext } from './handlers/context.ts';
import { createHandlers } from './handlers/index.ts';

/**
 * Calls the handlers without a socket, for commands that open the data folder directly. `actor`
 * absent: the operator on this machine, who acts as root
 * (docs/rules/command-line.md#which-gateway). `session`: the one that the actor is taken to have
 * now.
 */
export function createLocalTransport(
  app: App,
  actor?: Actor,
  language: Language = app.siteLanguage(),
  session: () => CallContext['session'] = () => undefined,
): Transport {
  const handlers = handlersByCall(app);
  return async (call, input) => {
    const handler = handlers.get(call);
    if (handler === undefined)
      throw new AppError('unknown_url', { method: call.method, path: call.path });
    const context: CallContext = {
      actor: actor ?? (await app.setup.findOperator('')),
      isOperator: actor === undefined,
      language,
      requestId: requestId(app.clock.now(), app.ids),
      clientIp: '',
      bearer: undefined,
      session: session(),
      waysIn: call.waysIn ?? [],
      device: '',
      preLogin: { read: () => undefined, open: () => app.accounts.preLogins.newToken() },
      startSession: async () => '',
      finishSignIn: () => Promise.reject(new AppError('session_required')),
      endSession: async () => {},
    };
    return performCall(app, call, handler, input, context);
  };
}

/** All declared calls with their handlers. */
export function handlersByCall(app: App): ReadonlyMap<Endpoint, AnyHandler> {
  const handlers = createHandlers(app) as unknown as Record<string, Record<string, AnyHandler>>;
  const pairs = Object.entries(api).flatMap(([group, calls]) =>
    Object.entries(calls as Record<string, Endpoint>).map(([name, call]) => {
      const handler = handlers[group]?.[name];
      if (handler === undefined) throw new Error(`no handler for ${group}.${name}`);
      return [call, handler] as const;
    }),
  );
  return new Map(pairs);
}
