/**
 * The token for v3: a JWT whose times are in milliseconds, `exp` too
 * (docs/rules/providers.md#zhipu-jwt).
 */
import { CompactSign } from 'jose';
import { tokenName } from '../../canonical/kit/access-token.ts';
import { splitKey } from '../../canonical/kit/split-key.ts';
import type { Call, Effects } from '../../canonical/provider.ts';

const day = 86_400_000;
/** A token is renewed this long before it expires. */
const early = 600;

/** `now` in milliseconds. JWT helpers write seconds, so the payload is put together by hand. */
export function signZhipuToken(id: string, secret: string, now: number): Promise<string> {
  const payload = JSON.stringify({ api_key: id, exp: now + day, timestamp: now });
  return new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: 'HS256', sign_type: 'SIGN', typ: 'JWT' })
    .sign(Buffer.from(secret));
}

/** Throws AppError('invalid_channel_key'). */
export async function zhipuToken(call: Call, effects: Effects): Promise<string> {
  const { id, secret } = splitKey(call.key, ['id', 'secret'], '.');
  const name = tokenName('zhipu', id, secret);
  const known = effects.cache.get(name);
  if (known !== undefined) return known;
  const token = await signZhipuToken(id, secret, effects.now().getTime());
  effects.cache.set(name, token, day / 1000 - early);
  return token;
}
