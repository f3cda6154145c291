/** The mail to owners about new ways into their account (docs/rules/accounts.md#ways-in). */
import { type MessageKey, translate } from '../../i18n/translate.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Mailer } from '../../notices/mail.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { User } from '../../storage/storage.ts';
import type { WayIn } from '../../vocabulary/ways-in.ts';
import { mailText } from '../mail-text.ts';
import type { Caller } from './caller.ts';
import type { ChangedWay } from './changed-way.ts';
import { type DisavowalLinks, disavowalDays } from './disavowal-links.ts';

export interface OwnerMail {
  /**
   * Mails the owner in the background, where the site sends mails and the account, as it was
   * before, has a verified address. With the address of the site the mail has a link for "it was
   * not me", unless the account is deleted. Failures go to the log.
   */
  send(before: User, caller: Pick<Caller, 'actor' | 'proof'>, way: WayIn, change: ChangedWay): void;
  /** Resolves when all mails are sent or have failed. */
  settled(): Promise<void>;
}

export interface OwnerMailDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly mailer: Mailer;
  readonly links: Pick<DisavowalLinks, 'make'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createOwnerMail({
  options,
  mailer,
  links,
  clock,
  logger,
}: OwnerMailDeps): OwnerMail {
  const pending = new Set<Promise<void>>();

  const canSend = (): boolean => {
    try {
      mailer.checkConfigured();
      return true;
    } catch {
      return false;
    }
  };

  const deliver: (...mail: Parameters<OwnerMail['send']>) => Promise<void> = async (
    before,
    { actor, proof },
    way,
    change,
  ) => {
    const language = options.get('SiteLanguage');
    const say = (key: MessageKey, values = {}) => translate(language, key, values);
    const site = options.get('ServerAddress');
    // A deletion cannot be taken back.
    const isFinal = way === 'account';
    const hasLink = site !== '' && !isFinal;
    const link = hasLink ? `${site}/not-me#token=${await links.make(before, way, change)}` : '';
    const by =
      proof === 'mailed'
        ? 'link'
        : proof === 'operator'
          ? 'operator'
          : actor.id === before.id
            ? 'self'
            : 'admin';
    const { subject, html } = mailText(language, 'mail.way', {
      site: options.get('SystemName'),
      change: say(wordsOf(way, change), { provider: change.provider ?? '' }),
      name: before.username,
      time: new Date(nowSeconds(clock) * 1000).toISOString().slice(0, 16).replace('T', ' '),
      by: say(`account.by.${by}`, { admin: actor.username }),
      ip: actor.ip,
      link,
      days: disavowalDays,
      advice: link === '' ? say(isFinal ? 'account.advice.deleted' : 'account.advice') : '',
    });
    await mailer.send(before.email, subject, html);
  };

  return {
    send: (before, caller, way, change) => {
      if (before.email === '' || !before.emailVerified || before.deletedAt !== null || !canSend())
        return;
      const sending: Promise<void> = deliver(before, caller, way, change)
        .catch((error: unknown) =>
          logger.error({ error, user: before.id }, 'an owner could not be mailed about a way in'),
        )
        .finally(() => pending.delete(sending));
      pending.add(sending);
    },
    settled: async () => {
      await Promise.all(pending);
    },
  };
}

function wordsOf(way: WayIn, { removed = false }: ChangedWay): MessageKey {
  if (!removed || way === 'factors') return `account.change.${way}`;
  return way === 'phone' || way === 'identity' || way === 'totp' || way === 'passkey'
    ? `account.change.${way}.removed`
    : `account.change.${way}`;
}
