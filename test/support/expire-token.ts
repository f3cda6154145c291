import { vi } from 'vitest';
import type { Client } from '../../src/core/contract/client.ts';

/**
 * Gives a token an end within the next second. On a busy machine that second may be over when the
 * server checks it, so that it is tried again.
 */
export function expireSoon(
  { userTokens }: Pick<Client, 'userTokens'>,
  id: number,
): Promise<unknown> {
  const update = () => userTokens.update({ id, expired_time: Math.floor(Date.now() / 1000) + 1 });
  return vi.waitFor(update);
}
