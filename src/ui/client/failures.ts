/** What a failed call says to the reader (docs/rules/console.md#failures). */
import { notifications } from '@mantine/notifications';
import { CallError } from '../../core/contract/envelope.ts';
import { isObject } from '../../core/kernel/json.ts';
import { router } from '../browser/router-handle.ts';
import { translate } from '../i18n/index.ts';
import { ReplacedLogin } from './login-of-call.ts';
import { currentUser, forgetUser, loginPath } from './session.ts';

/** How long a toast stays. */
const toastMs = 5000;

/**
 * One sentence for a failure: the server's message, except for statuses that have a fixed text
 * here.
 */
export function failureText(error: unknown): string {
  if (!(error instanceof CallError)) return translate('failure.unexpected');
  if (error.status === 0) return translate('failure.unreachable');
  if (error.code === 'insufficient_user_quota') return translate('failure.insufficient');
  if (error.status === 401) return translate('failure.expired');
  // A budget that is used up says which, and until when.
  if (error.status === 429 && error.code !== 'budget_exceeded') return translate('failure.tooMany');
  if (error.status === 500) return translate('failure.internal');
  if (error.status === 405) return translate('failure.demo');
  if (/illegal text/i.test(error.message)) return translate('failure.illegalText');
  // A reply without words, such as the page of a proxy: the status alone says nothing to readers.
  return error.message === '' || /^HTTP \d+$/.test(error.message)
    ? translate('failure.unexpected')
    : error.message;
}

/** No answer came at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof CallError && error.status === 0;
}

export function requestIdOf(error: unknown): string | undefined {
  return error instanceof CallError ? error.requestId : undefined;
}

/**
 * Shows a failure for five seconds; it stays while the pointer is on it. An expired login leaves
 * the page instead.
 */
export function toastFailure(error: unknown, title?: string): void {
  if (leaveWhenExpired(error)) return;
  const text = failureText(error);
  notifications.show({
    ...(title === undefined ? { message: text } : { title, message: text }),
    color: 'red',
    role: 'alert',
    autoClose: toastMs,
  });
}

/** A problem that no call reported, in the same way. */
export function toastProblem(message: string): void {
  notifications.show({ message, color: 'red', role: 'alert', autoClose: toastMs });
}

export function toastSuccess(message: string): void {
  notifications.show({ message, autoClose: toastMs, role: 'status' });
}

/**
 * A login, by whatever method, that needs its second step continues there. Returns whether it was
 * one.
 */
export function goToSecondStep(error: unknown): boolean {
  if (
    !(error instanceof CallError) ||
    error.code !== 'second_factor_required' ||
    error.data === undefined
  )
    return false;
  const { location } = router().state;
  const from: unknown = isObject(location.state) ? location.state['from'] : undefined;
  void router().navigate('/login/second-factor', { replace: true, state: { ...error.data, from } });
  return true;
}

/**
 * An expired login is handled here once: the storage is cleared and the reader goes to the login
 * page, which keeps the page of origin. A login that is half done goes on to its second step. After
 * a forbidden call the rights are read again: they may be fewer. Returns whether it was about a
 * login, of which nothing else is said.
 */
export function leaveWhenExpired(error: unknown): boolean {
  if (goToSecondStep(error)) return true;
  if (!(error instanceof CallError)) return false;
  if (error instanceof ReplacedLogin) return true;
  if (error.code === 'forbidden') void import('./rights.ts').then(({ readRights }) => readRights());
  if (error.status !== 401) return false;
  if (currentUser() !== null) {
    forgetUser('expired');
    const { location } = router().state;
    void router().navigate(loginPath(), {
      replace: true,
      state: { from: `${location.pathname}${location.search}` },
    });
  }
  return true;
}
