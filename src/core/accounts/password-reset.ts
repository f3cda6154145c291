import type { Language } from '../i18n/translate.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Mailer } from '../notices/mail.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage, User } from '../storage/storage.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import { actorFrom } from './actor-from.ts';
import { readAddress } from './email-verification.ts';
import type { AccountGate } from './gate/account-gate.ts';
import { mailText } from './mail-text.ts';
import { checkHashingRoom, passwordChange } from './password.ts';
import { codeMinutes, type VerificationCodes } from './verification-codes.ts';

export interface PasswordResetDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly mailer: Mailer;
  readonly codes: VerificationCodes;
  readonly gate: AccountGate;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** A new password by a mailed link (docs/rules/accounts.md#password-reset). */
export interface PasswordReset {
  /**
   * Mails a link if an active account has this verified address. It is sent in the background, so
   * that neither the result nor the time tells whether there is one. Throws AppError
   * mail_address_invalid, mail_not_configured, server_address_missing, mail_too_soon.
   */
  request(email: string, language: Language): Promise<void>;
  /**
   * Sets a random password and returns it. Ends the sessions, the system access token and a login
   * lock. Throws AppError reset_link_invalid, sign_in_busy.
   */
  confirm(email: string, token: string, ip: string): Promise<string>;
  /** Resolves when all mails are sent or have failed. */
  settled(): Promise<void>;
}

const passwordLength = 12;
const tokenBytes = 32;

export function createPasswordReset(deps: PasswordResetDeps): PasswordReset {
  const { storage, options, mailer, codes, ids, logger } = deps;
  const pending = new Set<Promise<void>>();

  const findActive = async (address: string): Promise<User | null> => {
    const user = await storage.users.findByVerifiedEmail(address);
    return user !== null && user.status === userStatuses.active && user.deletedAt === null
      ? user
      : null;
  };

  const sendLink = async (address: string, site: string, language: Language): Promise<void> => {
    const user = await findActive(address);
    if (user === null) return;
    const token = ids.base64url(tokenBytes);
    await codes.store('reset', address, token, String(user.id));
    const link = `${site}/reset?${new URLSearchParams({ email: address, token })}`;
    const { subject, html } = mailText(language, 'mail.reset', {
      site: options.get('SystemName'),
      link,
      minutes: codeMinutes,
    });
    await mailer.send(address, subject, html);
  };

  return {
    request: async (email, language) => {
      const address = readAddress(email);
      mailer.checkConfigured();
      const site = options.get('ServerAddress');
      if (site === '') throw new AppError('server_address_missing');
      await codes.countMail('reset', address);
      const sending: Promise<void> = sendLink(address, site, language)
        .catch((error: unknown) =>
          logger.error({ error }, 'the mail of a password reset could not be sent'),
        )
        .finally(() => pending.delete(sending));
      pending.add(sending);
    },
    confirm: async (email, token, ip) => {
      const address = email.trim().toLowerCase();
      checkHashingRoom();
      const { payload, consume } = await codes.check('reset', address, token, { ip });
      const user = await findActive(address);
      // The address may have moved to another account since.
      if (user === null || String(user.id) !== payload) throw new AppError('reset_link_invalid');
      const password = ids.alphanumeric(passwordLength);
      const next = await passwordChange(password, ids);
      const caller = { actor: actorFrom(user, ip), proof: 'mailed', waysIn: ['password'] } as const;
      const apply = async (inside: Storage): Promise<void> => {
        await consume(inside);
        await inside.users.update(user.id, next);
      };
      const passage = await deps.gate.enter(caller, 'password');
      await deps.gate.change(passage, { userId: user.id, action: 'user.password_reset', apply });
      return password;
    },
    settled: async () => {
      await Promise.all(pending);
    },
  };
}
