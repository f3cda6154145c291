import type { Engine } from './dialects/engine.ts';
import { channelKeyContext } from './repositories/channel-rows.ts';
import { optionContext } from './repositories/option-repository.ts';
import { tokenKeyContext } from './repositories/token-repository.ts';
import { createVault } from './vault.ts';

/** Secrets of each kind that are tried. */
const tried = 5;

/**
 * Whether the master key decrypts the secrets of a database: some tokens, channels and options are
 * tried. True if it decrypts one, since others may be damaged, or if there are none.
 */
export async function keyFits({ read }: Engine, masterKey: Buffer): Promise<boolean> {
  const vault = createVault(masterKey);
  const tokens = await read
    .selectFrom('tokens')
    .select(['key_hash', 'key_enc'])
    .limit(tried)
    .execute();
  const channels = await read
    .selectFrom('channels')
    .select(['key_hash', 'key_enc'])
    .limit(tried)
    .execute();
  const options = await read
    .selectFrom('options')
    .selectAll()
    .where('sealed', '=', 1)
    .limit(tried)
    .execute();
  const sealed = [
    ...tokens.map((row) => [row.key_enc, tokenKeyContext(row.key_hash)] as const),
    ...channels.map((row) => [row.key_enc, channelKeyContext(row.key_hash)] as const),
    ...options.map((row) => [row.value, optionContext(row.key)] as const),
  ];
  const opens = ([text, context]: (typeof sealed)[number]): boolean => {
    try {
      vault.open(text, context);
      return true;
    } catch {
      return false;
    }
  };
  return sealed.length === 0 || sealed.some(opens);
}
