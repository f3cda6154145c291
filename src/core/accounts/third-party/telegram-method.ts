/**
 * Telegram's login widget (docs/rules/accounts.md#telegram; Telegram, "Login Widget", Checking
 * authorization).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Cluster } from '../../cluster/cluster.ts';
import { nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { SignInMethod } from '../sign-in/sign-in-method.ts';
import type { ThirdPartyDeps } from './third-party-deps.ts';

const label = 'Telegram';
const provider = 'telegram';
const maxAgeSeconds = 24 * 3600;
/** By which Telegram's clock may be ahead of ours. */
const leewaySeconds = 60;
/** What the widget's address carries besides what Telegram signs. */
const unsigned: readonly string[] = ['hash', 'lang', 'state'];

/** What Telegram signs: `name=value` lines, sorted by name. */
export function telegramHash(fields: Readonly<Record<string, string>>, botToken: string): Buffer {
  const lines = Object.entries(fields)
    .filter(([name]) => !unsigned.includes(name))
    .map(([name, value]) => `${name}=${value}`)
    .sort();
  const key = createHash('sha256').update(botToken).digest();
  return createHmac('sha256', key).update(lines.join('\n')).digest();
}

/** Each signed reply is accepted once. */
export function createTelegramMethod({
  options,
  clock,
  cluster,
}: Pick<ThirdPartyDeps, 'options' | 'clock'> & {
  readonly cluster: Pick<Cluster, 'counter'>;
}): SignInMethod {
  const used = cluster.counter('telegram-logins');
  const refused = () => new AppError('telegram_invalid');
  return {
    id: 'telegram',
    label,
    provider,
    isEnabled: (from) => from.get('TelegramOAuthEnabled'),
    isOpenTo: (_, identities) => identities[provider] !== undefined,
    complete: async (input) => {
      const { id = '', hash = '', auth_date: authDate = '' } = input;
      const botToken = options.get('TelegramBotToken');
      if (
        botToken === '' ||
        !/^[1-9]\d*$/.test(id) ||
        !/^[0-9a-f]{64}$/i.test(hash) ||
        !/^\d{1,12}$/.test(authDate)
      )
        throw refused();
      if (!timingSafeEqual(telegramHash(input, botToken), Buffer.from(hash, 'hex')))
        throw refused();
      const age = nowSeconds(clock) - Number(authDate);
      if (age > maxAgeSeconds || age < -leewaySeconds) throw refused();
      const { count } = await used.increment(
        hash.toLowerCase(),
        (maxAgeSeconds + leewaySeconds) * 1000,
      );
      if (count > 1) throw refused();
      return { identity: { provider, subject: id } };
    },
  };
}
