import { AppError } from '../kernel/errors.ts';
import { findRefusal, type PolicyCase, type UserAct } from './user-policy.ts';

/** Throws AppError if the action is forbidden. */
export function requireAllowed(act: UserAct, facts: PolicyCase): void {
  const refusal = findRefusal(act, facts);
  if (refusal !== null) throw new AppError(refusal);
}
