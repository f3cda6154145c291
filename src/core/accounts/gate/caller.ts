import type { Actor } from '../../kernel/actor.ts';
import type { WayIn } from '../../vocabulary/ways-in.ts';
import type { FoundSession } from '../sessions.ts';
import type { AttemptOrigin } from '../sign-in/login-guard.ts';

/** Who changes a way into an account (docs/rules/accounts.md#ways-in). */
export interface Caller {
  readonly actor: Actor;
  /**
   * What may prove who this is: the session, if it was confirmed lately; `operator`: the key of the
   * data folder; `mailed`: a secret that was mailed to the owner; `identity`: a sign-in by it.
   * Undefined: nothing does; a system access token is no proof.
   */
  readonly proof:
    | Pick<FoundSession, 'idHash' | 'confirmedAt'>
    | 'operator'
    | 'mailed'
    | 'identity'
    | undefined;
  /** What the call declares to change. */
  readonly waysIn: readonly WayIn[];
}

/** The caller's session; undefined without one. */
export function sessionOf({ proof }: Caller): string | undefined {
  return typeof proof === 'object' ? proof.idHash : undefined;
}

/** Where the caller's attempts at a code come from. */
export function originOf(caller: Caller): AttemptOrigin {
  return { ip: caller.actor.ip, session: sessionOf(caller) };
}
