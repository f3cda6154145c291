import type { Engine } from './dialects/engine.ts';
import { channelKeyContext } from './repositories/channel-rows.ts';
import { optionContext } from './repositories/option-repository.ts';
import { tokenKeyContext } from './repositories/token-repository.ts';
import { createVault } from './vault.ts';

/** Whether the master key decrypts the secrets of a database: one token, channel and option are tried. True if it has none. */
export async function keyFits({ read }: Engine, masterKey: Buffer): Promise<boolean> {
  const vault = createVault(masterKey);
  const token = await read.selectFrom('tokens').select(['key_hash', 'key_enc']).limit(1).executeTakeFirst();
  const channel = await read.selectFrom('channels').select(['key_hash', 'key_enc']).limit(1).executeTakeFirst();
  const option = await read.selectFrom('options').selectAll().where('sealed', '=', 1).limit(1).executeTakeFirst();
  try {
    if (token !== undefined) vault.open(token.key_enc, tokenKeyContext(token.key_hash));
    if (channel !== undefined) vault.open(channel.key_enc, channelKeyContext(channel.key_hash));
    if (option !== undefined) vault.open(option.value, optionContext(option.key));
    return true;
  } catch {
    return false;
  }
}
