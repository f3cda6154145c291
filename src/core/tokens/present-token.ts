import type { TokenEntity } from '../contract/entities.ts';
import { createPresenter, type Shown } from '../entities/convert.ts';
import { tokenFields } from '../entities/token.ts';
import type { Token } from '../storage/storage.ts';
import { digestMark } from '../vocabulary/key-digests.ts';

const present = createPresenter(tokenFields, {
  key: (key) => `${key.slice(0, 4)}****${key.slice(-4)}`,
});

/**
 * The full key for its owner, else only the first and last four characters
 * (docs/rules/accounts.md#token-keys). Of some nobody knows the key.
 */
export function presentToken(token: Token, keys: Shown): TokenEntity {
  const key = token.key.isUnreadable ? undefined : token.key.reveal();
  if (key === undefined || key.startsWith(digestMark))
    return { ...present({ ...token, key: '' }, 'whole'), unreadable: true };
  return present({ ...token, key }, keys);
}
