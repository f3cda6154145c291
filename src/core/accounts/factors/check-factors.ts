import type { Endpoint } from '../../contract/endpoint.ts';
import type { Actor } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { StepUp } from './step-up.ts';
import type { FactorVerifier } from './verify-factor.ts';

export interface FactorFacts {
  readonly call: Pick<Endpoint, 'access' | 'stepUp'>;
  readonly actor: Actor | null;
  /** When the caller's session was last confirmed; undefined: the caller has no session. */
  readonly confirmedAt: number | undefined;
}

/**
 * What a call demands of second factors, once the caller's role allows it: administrators have one where the site requires it
 * (docs/rules/accounts.md#second-factor-of-administrators), and sensitive calls are confirmed (docs/rules/accounts.md#step-up). Throws AppError
 * second_factor_setup_required, session_required, step_up_required.
 */
export type CheckFactors = (facts: FactorFacts) => Promise<void>;

export interface CheckFactorsDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly factors: Pick<FactorVerifier, 'has'>;
  readonly stepUp: Pick<StepUp, 'require'>;
}

export function bindCheckFactors({ options, factors, stepUp }: CheckFactorsDeps): CheckFactors {
  return async ({ call, actor, confirmedAt }) => {
    if (actor === null) return;
    const hasSession = confirmedAt !== undefined;
    const isForAdmins = call.access === 'admin' || call.access === 'root';
    if (isForAdmins && hasSession && options.get('SecondFactorRequiredForAdmins') && !(await factors.has(actor.id)))
      throw new AppError('second_factor_setup_required');
    if (call.stepUp === undefined) return;
    if (call.stepUp === 'session-only' && !hasSession) throw new AppError('session_required');
    await stepUp.require(actor, hasSession ? { confirmedAt } : undefined);
  };
}
