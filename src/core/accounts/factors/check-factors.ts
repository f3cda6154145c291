import type { Endpoint } from '../../contract/endpoint.ts';
import type { Actor } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { FactorVerifier } from './verify-factor.ts';

export interface FactorFacts {
  readonly call: Pick<Endpoint, 'access'>;
  readonly actor: Actor | null;
  readonly hasSession: boolean;
}

/**
 * Administrators have a second factor where the site requires it
 * (docs/rules/accounts.md#second-factor-of-administrators). Throws AppError
 * second_factor_setup_required.
 */
export type CheckFactors = (facts: FactorFacts) => Promise<void>;

export interface CheckFactorsDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly factors: Pick<FactorVerifier, 'has'>;
}

export function bindCheckFactors({ options, factors }: CheckFactorsDeps): CheckFactors {
  return async ({ call, actor, hasSession }) => {
    const isForAdmins = call.access === 'admin' || call.access === 'root';
    if (
      actor === null ||
      !isForAdmins ||
      !hasSession ||
      !options.get('SecondFactorRequiredForAdmins')
    )
      return;
    if (!(await factors.has(actor.id))) throw new AppError('second_factor_setup_required');
  };
}
