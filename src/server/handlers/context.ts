import type { EndpointGroup, OutputOf, ParsedInputOf } from '../../core/contract/endpoint.ts';
import type { Reply } from '../../core/contract/envelope.ts';
import type { Language } from '../../core/i18n/translate.ts';
import type { Actor } from '../../core/kernel/actor.ts';
import { AppError } from '../../core/kernel/errors.ts';

/** What a handler knows about its call. Handlers see no Express, so they work without a socket too. */
export interface CallContext {
  /** Who calls; null: a visitor. */
  readonly actor: Actor | null;
  /** The operator at the machine: reads the data folder, so acts as root and needs no code. */
  readonly isOperator: boolean;
  readonly language: Language;
  readonly requestId: string;
  readonly clientIp: string;
  /** The text of the `Authorization` header without `Bearer`; undefined without one. */
  readonly bearer: string | undefined;
  /** SHA-256 of the session the call came with; undefined without one. */
  readonly sessionHash: string | undefined;
  /** Signs the browser in: makes a session and sets its cookie. */
  startSession(userId: number, method: string): Promise<void>;
  /** Ends the session the call came with and clears its cookie. */
  endSession(): Promise<void>;
}

/** One handler per declared call: a missing one does not compile. */
export type Handlers<G extends EndpointGroup> = {
  readonly [N in keyof G]: (
    input: ParsedInputOf<G[N]>,
    context: CallContext,
  ) => OutputOf<G[N]> | Reply<OutputOf<G[N]>> | Promise<OutputOf<G[N]> | Reply<OutputOf<G[N]>>>;
};

/** The caller of a call that is not for visitors; the guard has seen to it. */
export function actorOf(context: CallContext): Actor {
  if (context.actor === null) throw new AppError('not_signed_in');
  return context.actor;
}

/** Rows to skip and to take. `p` counts from `first`. */
export function pageRequest(p: number, size: number, first: 0 | 1 = 1): { offset: number; limit: number } {
  return { offset: Math.min((p - first) * size, Number.MAX_SAFE_INTEGER), limit: size };
}

/** A page of rows and the number of all that match. */
export interface Listing<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** A listing in the shape of P1 (docs/rules/console-api.md#paging). */
export function pageReply<T, R>(
  { items, total }: Listing<T>,
  input: { readonly p: number; readonly page_size: number },
  present: (item: T, index: number) => R,
): { items: R[]; total: number; page: number; page_size: number } {
  return { items: items.map(present), total, page: input.p, page_size: input.page_size };
}
