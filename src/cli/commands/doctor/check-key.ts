/** The key that the checks of a client are sent with. */
import { CallError } from '../../../core/contract/envelope.ts';
import { api } from '../../../core/contract/index.ts';
import { nowSeconds } from '../../../core/kernel/clock.ts';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { effectiveTokenStatus } from '../../../core/vocabulary/token-state.ts';
import type { Context } from '../../command/command.ts';
import { labelFor } from '../../show/labels.ts';

/** Seconds that the key of the check is valid, if it cannot be deleted. */
const keyLifetime = 900;

export interface CheckKey {
  /** With `sk-`. Undefined: one is made for the checks. */
  readonly key: string | undefined;
  /**
   * The limits that a key made for the checks gets: those of a token whose key only its owner can
   * see.
   */
  readonly like: {
    readonly group?: string;
    readonly model_limits?: string;
    readonly model_limits_enabled?: boolean;
  };
  /** Why the named token cannot be used now; undefined: it can. */
  readonly unusable: string | undefined;
}

/**
 * What `--token` names: a key, `-` for standard input, or the id of a token. Throws CallError for
 * an unknown id.
 */
export async function namedKey(context: Context): Promise<CheckKey> {
  const given = context.values.text('token');
  if (given === undefined) return { key: undefined, like: {}, unusable: undefined };
  const text = given === '-' ? (await context.terminal.readAll('token')).trim() : given;
  if (!/^[1-9]\d{0,15}$/.test(text))
    return { key: withPrefix(text), like: {}, unusable: undefined };
  const id = Number(text);
  const own = await context.call(api.token.get, { id }).catch((error: unknown) => {
    if (error instanceof CallError && error.code === 'not_found') return undefined;
    throw error;
  });
  const token = own ?? (await context.call(api.userTokens.get, { id }));
  const status = effectiveTokenStatus(token, nowSeconds(context.clock));
  const unusable =
    status === tokenStatuses.enabled
      ? undefined
      : labelFor('status.token', status, context.output.language);
  if (own !== undefined) return { key: withPrefix(own.key), like: {}, unusable };
  const { group, model_limits, model_limits_enabled } = token;
  return { key: undefined, like: { group, model_limits, model_limits_enabled }, unusable };
}

const withPrefix = (key: string) => (key.startsWith('sk-') ? key : `sk-${key}`);

/** Runs the work with the key, or with one that exists only for it. */
export async function withKey<T>(
  context: Context,
  { key, like }: CheckKey,
  work: (key: string) => Promise<T>,
): Promise<T> {
  if (key !== undefined) return work(key);
  const expired_time = nowSeconds(context.clock) + keyLifetime;
  const made = await context.call(api.userTokens.create, {
    ...like,
    name: 'doctor client',
    unlimited_quota: true,
    expired_time,
  });
  try {
    return await work(withPrefix(made.key));
  } finally {
    await context.call(api.userTokens.remove, { id: made.id });
  }
}
