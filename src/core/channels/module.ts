import type { Commit } from '../audit/commit.ts';
import type { ProviderRegistry } from '../canonical/registry.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Config } from '../config/schema.ts';
import type { ChannelEntity } from '../contract/entities.ts';
import type { Language } from '../i18n/translate.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ChannelNotices } from '../notices/channel-notices.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Channel, Storage } from '../storage/storage.ts';
import type { ChannelState } from '../vocabulary/channel-states.ts';
import {
  type AccountCalls,
  type ChannelAccounts,
  createChannelAccounts,
} from './channel-account.ts';
import { type ChannelBulk, createChannelBulk } from './channel-bulk.ts';
import { type ChannelCatalog, createChannelCatalog } from './channel-catalog.ts';
import { createChannelJobs } from './channel-jobs.ts';
import { type ChannelService, createChannelService } from './channel-service.ts';
import { type ChannelTags, createChannelTags } from './channel-tags.ts';
import { type ChannelTester, type ChannelTests, createChannelTests } from './channel-test.ts';
import { type ChannelKeyService, createChannelKeyService } from './key-service.ts';
import { type EndingModel, endingModels } from './model-ends.ts';
import { createModelSync, type ModelSync } from './model-sync.ts';
import { type ChannelHealth, presentChannel } from './present-channel.ts';
import { createRoutingIndex, type RoutingIndex } from './routing-index.ts';

export interface ChannelsModuleDeps {
  readonly config: Config;
  readonly providers: ProviderRegistry;
  readonly storage: Storage;
  readonly options: OptionStore;
  readonly cluster: Pick<Cluster, 'changes' | 'leases'>;
  readonly commit: Commit;
  readonly notices: ChannelNotices;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Sends the request of a channel test. */
  readonly testChannel: ChannelTester;
  readonly accountCalls: AccountCalls;
  /** The account charged for scheduled tests; null before the site is set up. */
  readonly findTester: () => Promise<Actor | null>;
  readonly idsInState: (state: ChannelState) => Promise<readonly number[]>;
}

export interface ChannelServices extends ChannelService {
  readonly tags: ChannelTags;
  readonly tests: ChannelTests;
  readonly accounts: ChannelAccounts;
  readonly keys: ChannelKeyService;
  readonly bulk: ChannelBulk;
  readonly routing: RoutingIndex;
  /** Models of enabled channels that have ended or soon will. */
  readonly endingModels: () => readonly EndingModel[];
  readonly catalog: ChannelCatalog;
  /** New models, prices and ends. */
  readonly models: ModelSync;
  /** A channel for administrators, with its health from the relay. */
  present(channel: Channel, health: ChannelHealth): ChannelEntity;
}

/** Resolves when the routing index is built. */
export async function createChannelsModule(
  deps: ChannelsModuleDeps,
): Promise<ServiceModule<ChannelServices>> {
  const { config, storage } = deps;
  const common = {
    ...deps,
    changes: deps.cluster.changes,
    leases: deps.cluster.leases,
    pause: config.pollingInterval,
  };
  const routing = await createRoutingIndex(storage, deps.providers);
  const tests = createChannelTests(common);
  const accounts = createChannelAccounts({ ...common, calls: deps.accountCalls });
  const models = createModelSync({
    ...common,
    calls: deps.accountCalls,
    channels: () => routing.all(),
  });
  const service = createChannelService(deps);
  const ending = () => endingModels(routing.all(), deps.clock.now());
  return {
    services: {
      ...service,
      bulk: createChannelBulk({ ...deps, remove: service.remove }),
      tags: createChannelTags(deps),
      keys: createChannelKeyService(deps),
      tests,
      accounts,
      routing,
      endingModels: ending,
      models,
      catalog: createChannelCatalog(deps.providers, deps.clock),
      present: (channel, health) => presentChannel(channel, deps.providers, health),
    },
    jobs: createChannelJobs({
      ...deps,
      tests,
      accounts,
      endingModels: ending,
      lookForModels: models.look,
      leases: deps.cluster.leases,
    }),
    caches: [
      { name: 'routing index', kinds: ['channels'], follow: ({ ids }) => routing.reload(ids) },
    ],
    stop: async () => {
      await Promise.all([tests.stop(), accounts.stop()]);
    },
  };
}
