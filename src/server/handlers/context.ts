import type { FactorProof } from '../../core/accounts/factors/verify-factor.ts';
import type { Caller } from '../../core/accounts/gate/caller.ts';
import type { User } from '../../core/accounts/own-account.ts';
import type { FoundSession, ProvenUser } from '../../core/accounts/sessions.ts';
import type { EndpointGroup, OutputOf, ParsedInputOf } from '../../core/contract/endpoint.ts';
import type { Reply } from '../../core/contract/envelope.ts';
import type { Language } from '../../core/i18n/translate.ts';
import type { Actor } from '../../core/kernel/actor.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { WayIn } from '../../core/vocabulary/ways-in.ts';

/** The context of a call. Handlers do not depend on Express, so they also work without a socket. */
export interface CallContext {
  /** The caller; null: a visitor. */
  readonly actor: Actor | null;
  /**
   * Whether the caller is the operator on this machine, who acts as root and needs no setup code.
   */
  readonly isOperator: boolean;
  readonly language: Language;
  readonly requestId: string;
  readonly clientIp: string;
  /** The text of the `Authorization` header without `Bearer`; undefined without one. */
  readonly bearer: string | undefined;
  /** The caller's session; undefined without one. */
  readonly session: Pick<FoundSession, 'idHash' | 'confirmedAt'> | undefined;
  /** What the call declares to change of ways into accounts. */
  readonly waysIn: readonly WayIn[];
  /**
   * The browser's cookie of known devices (docs/rules/accounts.md#known-browsers); '' without one.
   */
  readonly device: string;
  /**
   * The browser's cookie for what is remembered before its user signs in
   * (docs/rules/accounts.md#pre-login-record).
   */
  readonly preLogin: PreLoginCookie;
  /**
   * Signs the browser in: creates a session, sets its cookie and returns its token. Throws AppError
   * wrong_credentials if the password has changed meanwhile, and second_factor_required if the user has a second factor: the reply then has the challenge, and
   * the console asks for it.
   */
  startSession(user: ProvenUser, method: string): Promise<string>;
  /**
   * The second step of a sign-in, as {@link startSession}. Throws what `OpenSession.complete`
   * throws.
   */
  finishSignIn(challenge: string, proof: FactorProof): Promise<User>;
  /** Ends the caller's session and clears its cookie. */
  endSession(): Promise<void>;
}

/** Its values are the tokens of `accounts.preLogins`. */
export interface PreLoginCookie {
  /** Undefined: the browser has none. */
  read(): string | undefined;
  /**
   * The browser's value, or a new one. Sets the cookie, so that it lives as long as what is noted
   * now.
   */
  open(): string;
}

/** One handler per declared call; a missing one is a compile error. */
export type Handlers<G extends EndpointGroup> = {
  readonly [N in keyof G]: (
    input: ParsedInputOf<G[N]>,
    context: CallContext,
  ) => OutputOf<G[N]> | Reply<OutputOf<G[N]>> | Promise<OutputOf<G[N]> | Reply<OutputOf<G[N]>>>;
};

/** The caller of a call that visitors cannot make; the access check has rejected them. */
export function actorOf(context: CallContext): Actor {
  if (context.actor === null) throw new AppError('not_signed_in');
  return context.actor;
}

/**
 * The operator on the gateway's machine, who may use its files: what a call reads or writes there,
 * nobody else may name. Throws AppError operator_only.
 */
export function operatorOf(context: CallContext): Actor {
  const actor = actorOf(context);
  if (!context.isOperator) throw new AppError('operator_only');
  return actor;
}

/** The caller as the gate of ways into an account knows it (docs/rules/accounts.md#ways-in). */
export function callerOf(context: CallContext): Caller {
  const { isOperator, session, waysIn } = context;
  return { actor: actorOf(context), proof: isOperator ? 'operator' : session, waysIn };
}

/** Where a sign-in comes from, as the methods of `accounts.signIn` take it. */
export function originOf({ clientIp, device }: CallContext): {
  readonly ip: string;
  readonly device: string;
} {
  return { ip: clientIp, device };
}

/** Offset and limit of a page. `p` counts from `first`. */
export function pageRequest(
  p: number,
  size: number,
  first: 0 | 1 = 1,
): { offset: number; limit: number } {
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
