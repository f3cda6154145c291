import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { SignInMethod } from './sign-in-method.ts';

/**
 * Throws AppError not_found; for a method that is off password_login_disabled, phone_login_disabled
 * or sign_in_method_disabled.
 */
export type FindMethod = (id: string) => SignInMethod;

/** Errors of methods that are off and are no third party. */
const disabledErrors: Readonly<Record<string, ErrorCode>> = {
  password: 'password_login_disabled',
  phone: 'phone_login_disabled',
};

export function bindFindMethod(
  methods: readonly SignInMethod[],
  options: Pick<OptionStore, 'get'>,
): FindMethod {
  return (id) => {
    const method = methods.find((one) => one.id === id);
    if (method === undefined) throw new AppError('not_found');
    if (method.isEnabled(options)) return method;
    if (method.label !== undefined)
      throw new AppError('sign_in_method_disabled', { provider: method.label });
    throw new AppError(disabledErrors[id] ?? 'not_found');
  };
}
