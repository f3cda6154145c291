import type { Cluster } from '../cluster/cluster.ts';
import type { Config } from '../config/schema.ts';
import type { Language } from '../i18n/translate.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { User } from '../storage/storage.ts';
import { readGuardPolicy } from '../upstream/guard.ts';
import { createUpstream } from '../upstream/send.ts';
import { type ChannelNotices, createChannelNotices } from './channel-notices.ts';
import { createMailer, type Mailer } from './mail.ts';
import { createRootNotices, type RootNotices } from './notify-root.ts';
import { createWebhooks } from './webhook.ts';

export interface NoticesModuleDeps {
  readonly config: Config;
  readonly cluster: Pick<Cluster, 'leases'>;
  readonly options: OptionStore;
  readonly findRoot: () => Promise<User | null>;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface NoticeServices {
  readonly mailer: Mailer;
  readonly root: RootNotices;
  readonly channels: ChannelNotices;
}

/** Notices to the site owner, sent by mail, webhook or message pusher. */
export function createNoticesModule({ config, ...deps }: NoticesModuleDeps): ServiceModule<NoticeServices> {
  // Sends to addresses from the site's options, which the owner sets.
  const upstream = createUpstream();
  const mailer = createMailer({ options: deps.options, insecure: config.smtpInsecure });
  const root = createRootNotices({
    ...deps,
    leases: deps.cluster.leases,
    mailer,
    upstream,
    webhooks: createWebhooks({ guard: readGuardPolicy(config), clock: deps.clock }),
    limit: { count: config.notifyLimitCount, minutes: config.notificationLimitDurationMinute },
  });
  return {
    services: { mailer, root, channels: createChannelNotices(root, deps.siteLanguage) },
    close: async () => {
      await root.close();
      await upstream.close();
    },
  };
}
