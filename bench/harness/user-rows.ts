/** The users and tokens of a site that is measured, for both engines. */
import { createHash } from 'node:crypto';
import { tokenKeyContext } from '../../src/core/storage/repositories/token-repository.ts';
import { createVault } from '../../src/core/storage/vault.ts';
import { cryptoSecret } from './gateway.ts';

export const users = 1000;
export const openingQuota = 1_000_000_000_000;

export type Row = Record<string, number | string | null>;
export type NewRow = readonly [table: string, row: Row];

export const allKeys: readonly string[] = Array.from(
  { length: users },
  (_, index) => `sk-${tokenKey(index)}`,
);

function tokenKey(index: number): string {
  return createHash('sha256').update(`benchmark ${index}`).digest('hex').slice(0, 48);
}

/**
 * Users and tokens are copies of the site's first ones, so that this works with builds whose tables
 * have other columns.
 */
export function userRows(firstUser: Row, firstToken: Row): readonly NewRow[] {
  const vault = createVault(Buffer.from(cryptoSecret));
  return Array.from({ length: users }, (_, index) => index).flatMap((index): NewRow[] => {
    const id = index + 2;
    const name = `user${id}`;
    const own = {
      id,
      username: name,
      username_normalized: name,
      role: 1,
      quota: openingQuota,
      email: '',
      aff_code: `bench${index}`,
    };
    const posting = {
      kind: 'top_up',
      amount: openingQuota,
      balance_after: openingQuota,
      reference: `bench${index}`,
      created_at: 0,
    };
    const key = tokenKey(index);
    const hash = vault.hash(key);
    const sealed = vault.seal(key, tokenKeyContext(hash));
    return [
      ['users', { ...firstUser, ...own, access_token_hash: null, phone: null }],
      ['ledger', { user_id: id, token_id: null, ...posting }],
      ['tokens', { ...firstToken, id, user_id: id, key_hash: hash, key_enc: sealed }],
    ];
  });
}
