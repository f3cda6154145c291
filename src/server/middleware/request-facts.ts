import type { NextFunction, Request, Response } from 'express';
import type { App } from '../../core/app.ts';
import { type Language, pickLanguage } from '../../core/i18n/translate.ts';
import { requestId } from '../../core/kernel/request-id.ts';

/** Properties of a request, computed once. */
export interface RequestFacts {
  readonly requestId: string;
  readonly language: Language;
  readonly clientIp: string;
  /** Whether the browser's connection is encrypted, to us or to a trusted proxy. */
  readonly isSecure: boolean;
}

const known = new WeakMap<Request, RequestFacts>();

/** Sets `X-Oneapi-Request-Id`, which every reply has (docs/rules/relay.md#request-id). */
export function attachRequestFacts(app: App) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { remoteAddress } = request.socket;
    const id = requestId(app.clock.now(), app.ids);
    const encrypted = 'encrypted' in request.socket && request.socket.encrypted === true;
    const forwarded = app.clientAddress.isTrusted(remoteAddress)
      ? request.get('x-forwarded-proto')
      : undefined;
    known.set(request, {
      requestId: id,
      language: pickLanguage(request.get('accept-language'), app.siteLanguage()),
      clientIp: app.clientAddress.find(remoteAddress, request.get('x-forwarded-for')),
      isSecure: encrypted || forwarded?.split(',')[0]?.trim() === 'https',
    });
    response.setHeader('X-Oneapi-Request-Id', id);
    next();
  };
}

export function factsOf(request: Request): RequestFacts {
  const facts = known.get(request);
  if (facts === undefined) throw new Error('a request came past attachRequestFacts');
  return facts;
}
