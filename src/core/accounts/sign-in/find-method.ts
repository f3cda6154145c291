import { AppError } from '../../kernel/errors.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { SignInMethod } from './sign-in-method.ts';

/** Throws AppError not_found, and password_login_disabled or sign_in_method_disabled for a method that is off. */
export type FindMethod = (id: string) => SignInMethod;

export function bindFindMethod(methods: readonly SignInMethod[], options: Pick<OptionStore, 'get'>): FindMethod {
  return (id) => {
    const method = methods.find((one) => one.id === id);
    if (method === undefined) throw new AppError('not_found');
    if (method.isEnabled(options)) return method;
    if (method.label !== undefined) throw new AppError('sign_in_method_disabled', { provider: method.label });
    throw new AppError(id === 'password' ? 'password_login_disabled' : 'not_found');
  };
}
