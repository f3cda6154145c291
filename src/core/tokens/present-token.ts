import type { TokenEntity } from '../contract/entities.ts';
import { createPresenter } from '../entities/convert.ts';
import { tokenFields } from '../entities/token.ts';
import type { Token } from '../storage/storage.ts';

const present = createPresenter(tokenFields);

/** The full key for its owner, else only the first and last four characters (docs/rules/accounts.md#token-keys). */
export function presentToken(token: Token, keys: 'whole' | 'masked'): TokenEntity {
  const key = token.key.reveal();
  return present({ ...token, key: keys === 'whole' ? key : `${key.slice(0, 4)}****${key.slice(-4)}` });
}
