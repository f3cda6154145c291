import type { Cluster } from '../cluster/cluster.ts';
import { type Language, translate } from '../i18n/translate.ts';
import { AppError } from '../kernel/errors.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { NoticeRoutes } from './notice-routes.ts';

/**
 * Sends a notice by a user's stored settings and waits for the result
 * (docs/rules/notices.md#test-notice). Throws AppError no_notice_address, test_notice_too_soon,
 * mail_failed, webhook_failed, and what the check of the address throws.
 */
export type SendTestNotice = (userId: number, language: Language) => Promise<void>;

export interface TestNoticeDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly cluster: Pick<Cluster, 'counter'>;
  readonly routes: NoticeRoutes;
}

/** At most `most` in a window, because the address may be somebody else's. */
const most = 3;
const windowMs = 10 * 60_000;
/** Milliseconds. */
const timeout = 45_000;

export function bindSendTestNotice({
  storage,
  options,
  cluster,
  routes,
}: TestNoticeDeps): SendTestNotice {
  const sent = cluster.counter('test notices');
  return async (userId, language) => {
    const user = await storage.users.find(userId);
    if (user === null) throw new AppError('not_found');
    const send = routes.find(user);
    if (send === undefined) throw new AppError('no_notice_address');
    const { count, remainingMs } = await sent.increment(String(userId), windowMs);
    if (count > most)
      throw new AppError('test_notice_too_soon', { seconds: Math.ceil(remainingMs / 1000) });
    const site = options.get('SystemName');
    const notice = {
      type: 'test',
      title: translate(language, 'notice.test', { site }),
      content: translate(language, 'notice.test.content', { name: '{{value}}' }),
      values: [user.username],
    };
    await send(notice, AbortSignal.timeout(timeout));
  };
}
