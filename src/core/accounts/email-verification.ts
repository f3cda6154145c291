import type { Language } from '../i18n/translate.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { checkMailAddress, type Mailer } from '../notices/mail.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { mailText } from './mail-text.ts';
import {
  type CheckedCode,
  type CodeOrigin,
  codeMinutes,
  sixDigits,
  type VerificationCodes,
} from './verification-codes.ts';

export interface EmailVerificationDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly mailer: Mailer;
  readonly codes: VerificationCodes;
  readonly ids: Ids;
}

/** Verification of addresses by a mailed code (docs/rules/accounts.md#email-verification). */
export interface EmailVerification {
  /**
   * Mails a code. An address that has an account gets a mail that says so, and the caller cannot
   * tell the two apart. Throws AppError mail_address_invalid, email_domain_forbidden,
   * email_alias_forbidden, mail_not_configured, mail_too_soon, mail_failed.
   */
  sendCode(email: string, language: Language): Promise<void>;
  /**
   * The verified address and its code. Throws AppError email_and_code_required,
   * verification_code_invalid and as `sendCode`.
   */
  check(
    email: string,
    code: string,
    from: CodeOrigin,
  ): Promise<CheckedCode & { readonly address: string }>;
}

/** An address as it is stored and compared. Throws AppError mail_address_invalid. */
export function readAddress(email: string): string {
  const address = email.trim().toLowerCase();
  checkMailAddress(address);
  return address;
}

export function createEmailVerification(deps: EmailVerificationDeps): EmailVerification {
  const { storage, options, mailer, codes } = deps;

  const readAllowed = (email: string): string => {
    const address = readAddress(email);
    const [local = '', domain = ''] = address.split('@');
    const isListed =
      !options.get('EmailDomainRestrictionEnabled') ||
      options.get('EmailDomainWhitelist').includes(domain);
    if (!isListed) throw new AppError('email_domain_forbidden', { field: 'email' });
    if (options.get('EmailAliasRestrictionEnabled') && /[+.]/.test(local)) {
      throw new AppError('email_alias_forbidden', { field: 'email' });
    }
    return address;
  };

  return {
    sendCode: async (email, language) => {
      const address = readAllowed(email);
      mailer.checkConfigured();
      await codes.countMail('email', address);
      const hasAccount = (await storage.users.findByVerifiedEmail(address)) !== null;
      const code = sixDigits(deps.ids);
      // Stored in both cases, so that both take the same time. Nobody knows the code of an address
      // that has an account.
      await codes.store('email', address, code);
      const values = { site: options.get('SystemName'), code, minutes: codeMinutes };
      const { subject, html } = mailText(
        language,
        hasAccount ? 'mail.has_account' : 'mail.code',
        values,
      );
      try {
        await mailer.send(address, subject, html);
      } catch (error) {
        await codes.uncountMail('email', address);
        throw error;
      }
    },
    check: async (email, code, from) => {
      if (email.trim() === '' || code.trim() === '') {
        throw new AppError('email_and_code_required', {
          field: email.trim() === '' ? 'email' : 'verification_code',
        });
      }
      const address = readAllowed(email);
      return { address, ...(await codes.check('email', address, code, from)) };
    },
  };
}
