/** How the owner is reached: mail, webhooks, the message pusher, and what is told about channels. */
import type { Config } from './config/schema.ts';
import type { Clock } from './kernel/clock.ts';
import type { Ids } from './kernel/ids.ts';
import type { Logger } from './kernel/logger.ts';
import { createChannelNotices } from './notices/channel-notices.ts';
import { createMailer } from './notices/mail.ts';
import { createRootNotices } from './notices/notify-root.ts';
import { createWebhooks } from './notices/webhook.ts';
import type { OptionStore } from './site/option-store.ts';
import type { Storage, User } from './storage/storage.ts';
import { readGuardPolicy } from './upstream/guard.ts';
import { createUpstream } from './upstream/send.ts';

export interface NoticeWiring {
  readonly config: Config;
  readonly storage: Pick<Storage, 'locks'>;
  readonly findRoot: () => Promise<User | null>;
  readonly options: OptionStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export function wireNotices({ config, ...deps }: NoticeWiring) {
  // For addresses that the owner wrote into the site's options.
  const upstream = createUpstream();
  const mailer = createMailer({ options: deps.options, insecure: config.smtpInsecure });
  const root = createRootNotices({
    ...deps,
    mailer,
    upstream,
    webhooks: createWebhooks({ guard: readGuardPolicy(config), clock: deps.clock }),
    limit: { count: config.notifyLimitCount, minutes: config.notificationLimitDurationMinute },
  });
  return {
    mailer,
    root,
    channels: createChannelNotices(root),
    close: async (): Promise<void> => {
      await root.close();
      await upstream.close();
    },
  };
}
