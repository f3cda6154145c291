/** Email through the SMTP server of the site's options (docs/rules/notices.md#mail). */
import { AppError } from '../kernel/errors.ts';
import type { OptionStore } from '../site/option-store.ts';

export interface Mailer {
  /** Throws AppError mail_not_configured. */
  checkConfigured(): void;
  /** `html` is the body. Throws AppError mail_not_configured, mail_address_invalid, mail_failed. */
  send(to: string, subject: string, html: string): Promise<void>;
}

export interface MailerDeps {
  readonly options: Pick<OptionStore, 'get'>;
  /** SMTP_INSECURE: certificates are not verified. */
  readonly insecure: boolean;
}

/** Timeouts in milliseconds: connection, greeting, and inactivity. */
const connectTimeout = 10_000;
const silenceTimeout = 30_000;

/** Servers that offer PLAIN but accept only LOGIN. */
const loginHosts = /outlook|onmicrosoft|azurecomm/i;

/** A single plain address, which cannot add a recipient or a header. */
const oneAddress = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/;
/** RFC 5321, 4.5.3.1.3, without the angle brackets. */
const longestAddress = 254;

export function isMailAddress(address: string): boolean {
  return address.length <= longestAddress && oneAddress.test(address);
}

/** Throws AppError mail_address_invalid. */
export function checkMailAddress(address: string): void {
  if (!isMailAddress(address)) throw new AppError('mail_address_invalid', { field: 'email' });
}

export function createMailer({ options, insecure }: MailerDeps): Mailer {
  const connect = async () => {
    // Loaded with the first mail, because most runs of the program send none.
    const { createTransport } = await import('nodemailer');
    const host = options.get('SMTPServer').trim();
    const port = options.get('SMTPPort');
    const user = options.get('SMTPAccount').trim();
    const pass = options.get('SMTPToken');
    return createTransport({
      host,
      port,
      secure: port === 465 || options.get('SMTPSSLEnabled'),
      ...(user === '' || pass === '' ? {} : { auth: { user, pass } }),
      ...(loginHosts.test(`${host} ${user}`) ? { authMethod: 'LOGIN' } : {}),
      tls: { rejectUnauthorized: !insecure },
      connectionTimeout: connectTimeout,
      greetingTimeout: connectTimeout,
      socketTimeout: silenceTimeout,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };

  /** The address that mails come from. */
  const requireSender = (): string => {
    const from = options.get('SMTPFrom').trim() || options.get('SMTPAccount').trim();
    if (options.get('SMTPServer').trim() === '' || from === '')
      throw new AppError('mail_not_configured');
    return from;
  };

  return {
    checkConfigured: () => void requireSender(),
    send: async (to, subject, html) => {
      const from = requireSender();
      checkMailAddress(to);
      const transport = await connect();
      try {
        await transport.sendMail({
          from: { name: options.get('SystemName'), address: from },
          to,
          subject: oneLine(subject),
          html,
        });
      } catch (error) {
        throw new AppError('mail_failed', {}, { cause: error });
      } finally {
        transport.close();
      }
    },
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
