import type { Cluster } from '../cluster/cluster.ts';
import type { Config } from '../config/schema.ts';
import type { Language } from '../i18n/translate.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage, User } from '../storage/storage.ts';
import { readGuardPolicy } from '../upstream/guard.ts';
import { createCalls } from '../upstream/open-upstream.ts';
import { type ChannelNotices, createChannelNotices } from './channel-notices.ts';
import { createMailer, type Mailer } from './mail.ts';
import { createNoticeRoutes, type NoticeRoutes } from './notice-routes.ts';
import { createRootNotices, type RootNotices } from './notify-root.ts';
import { createQuotaWarnings, type QuotaWarnings } from './quota-warnings.ts';
import { createTextMessages, type TextMessages } from './sms/sms.ts';
import { bindSendTestNotice, type SendTestNotice } from './test-notices.ts';
import { createWebhooks, type Webhooks } from './webhook.ts';

export interface NoticesModuleDeps {
  readonly config: Config;
  readonly storage: Pick<Storage, 'users' | 'quotaWarnings'>;
  readonly cluster: Pick<Cluster, 'leases' | 'counter'>;
  readonly options: OptionStore;
  readonly findRoot: () => Promise<User | null>;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface NoticeServices {
  readonly mailer: Mailer;
  readonly sms: TextMessages;
  readonly root: RootNotices;
  readonly channels: ChannelNotices;
  readonly quota: QuotaWarnings;
  readonly routes: NoticeRoutes;
  readonly sendTest: SendTestNotice;
  /** Sends JSON to an address of the site's options, signed. */
  readonly sendSigned: Webhooks['send'];
}

/** Seconds between two runs, and what one may take. */
const warningInterval = 5;
const warningTimeout = 300;

/**
 * Notices to users and to the site owner, sent by mail, webhook or message pusher; text messages to
 * users.
 */
export function createNoticesModule({
  config,
  ...deps
}: NoticesModuleDeps): ServiceModule<NoticeServices> {
  // Sends to addresses from the site's options, which the owner sets.
  const upstream = createCalls();
  const mailer = createMailer({ options: deps.options, insecure: config.smtpInsecure });
  const webhooks = createWebhooks({
    guard: readGuardPolicy(config),
    clock: deps.clock,
    unguarded: upstream,
    worker: () => {
      const url = deps.options.get('WorkerUrl');
      return url === '' ? undefined : { url, key: deps.options.get('WorkerValidKey') };
    },
  });
  const routes = createNoticeRoutes({ options: deps.options, mailer, webhooks });
  const root = createRootNotices({
    ...deps,
    leases: deps.cluster.leases,
    findUser: (id) => deps.storage.users.find(id),
    routes,
    upstream,
    limit: { count: config.notifyLimitCount, minutes: config.notificationLimitDurationMinute },
  });
  const quota = createQuotaWarnings({ ...deps, routes });
  return {
    services: {
      mailer,
      sms: createTextMessages({ ...deps, config, upstream }),
      root,
      routes,
      channels: createChannelNotices(root, deps.siteLanguage),
      quota,
      sendTest: bindSendTestNotice({ ...deps, routes }),
      sendSigned: webhooks.send,
    },
    jobs: [
      {
        name: 'quota-warnings',
        interval: () => warningInterval,
        // Each process has noted its own users; a warning is claimed by one of them.
        scope: 'process',
        timeout: warningTimeout,
        run: (signal) => quota.run(signal),
      },
    ],
    close: async () => {
      await quota
        .save()
        .catch((error: unknown) =>
          deps.logger.error({ error }, 'quota warnings could not be stored'),
        );
      await root.close();
      await webhooks.close();
      await upstream.close();
    },
  };
}
