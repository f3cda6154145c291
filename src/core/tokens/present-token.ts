import type { TokenEntity } from '../contract/entities.ts';
import { createPresenter, type Shown } from '../entities/convert.ts';
import { tokenFields } from '../entities/token.ts';
import type { Token } from '../storage/storage.ts';

const present = createPresenter(tokenFields, {
  key: (key) => `${key.slice(0, 4)}****${key.slice(-4)}`,
});

/**
 * The full key for its owner, else only the first and last four characters
 * (docs/rules/accounts.md#token-keys).
 */
export function presentToken(token: Token, keys: Shown): TokenEntity {
  if (token.key.isUnreadable)
    return { ...present({ ...token, key: '' }, 'whole'), unreadable: true };
  return present({ ...token, key: token.key.reveal() }, keys);
}
