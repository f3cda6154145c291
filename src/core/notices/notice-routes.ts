/** How a notice reaches a user (docs/rules/notices.md#notice-routes). */
import { AppError, errorTable } from '../kernel/errors.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { User } from '../storage/storage.ts';
import type { Mailer } from './mail.ts';
import { fillContent, type Notice, valueAsHtml } from './notice.ts';
import { readNotificationSetting } from './notification-setting.ts';
import type { Webhooks } from './webhook.ts';

/**
 * Sends one notice. Throws AppError mail_failed, webhook_failed, and what {@link Mailer.send} and
 * {@link Webhooks.post} throw.
 */
export type SendNotice = (notice: Notice, signal: AbortSignal) => Promise<void>;

export interface NoticeRoutes {
  /**
   * By the user's settings: webhook or e-mail. Undefined: the user has no address, or the site has
   * no mail server.
   */
  find(user: Pick<User, 'setting' | 'email'>): SendNotice | undefined;
}

export interface NoticeRouteDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly mailer: Mailer;
  readonly webhooks: Pick<Webhooks, 'post'>;
}

export function createNoticeRoutes({ options, mailer, webhooks }: NoticeRouteDeps): NoticeRoutes {
  return {
    find: (user) => {
      const setting = readNotificationSetting(user.setting);
      if (setting.byWebhook) {
        const { webhook } = setting;
        return webhook.url === ''
          ? undefined
          : (notice, signal) => webhooks.post(notice, webhook, signal).catch(failWebhook);
      }
      const address = setting.email || user.email;
      if (address === '' || options.get('SMTPServer') === '') return undefined;
      return (notice) =>
        mailer.send(address, notice.title, fillContent(notice, valueAsHtml(notice)));
    },
  };
}

function failWebhook(error: unknown): never {
  if (error instanceof AppError && errorTable[error.code].local) throw error;
  const status = error instanceof AppError ? error.params['status'] : undefined;
  throw new AppError('webhook_failed', status === undefined ? {} : { status }, { cause: error });
}
