import type { App } from '../../core/app.ts';
import { readChannelInput } from '../../core/channels/channel-fields.ts';
import { syncErrorText } from '../../core/channels/model-sync.ts';
import { presentKeys } from '../../core/channels/present-channel.ts';
import type { channelApi } from '../../core/contract/channel.ts';
import type { channelKeysApi } from '../../core/contract/channel-keys.ts';
import type { channelRunsApi } from '../../core/contract/channel-runs.ts';
import type { channelTagsApi } from '../../core/contract/channel-tags.ts';
import type { channelTypesApi } from '../../core/contract/channel-types.ts';
import type { ChannelEntity } from '../../core/contract/entities.ts';
import type { modelSyncApi } from '../../core/contract/model-sync.ts';
import type { routesApi } from '../../core/contract/routes.ts';
import { channelFilters } from '../../core/entities/channel-filters.ts';
import { readFilters } from '../../core/entities/filters.ts';
import type { Language } from '../../core/i18n/translate.ts';
import { parseObject } from '../../core/kernel/json.ts';
import { readAdditions } from '../../core/models/added.ts';
import { checked } from '../../core/models/sources/found-model.ts';
import { actorOf, type Handlers, pageRequest } from './context.ts';

export function channelHandlers(app: App) {
  return {
    channel: connectionHandlers(app),
    channelTypes: channelTypeHandlers(app),
    channelKeys: keyHandlers(app),
    channelRuns: channelRunHandlers(app),
    channelTags: tagHandlers(app),
    routes: routeHandlers(app),
    modelSync: modelSyncHandlers(app),
  };
}

function channelTypeHandlers({ channels }: App): Handlers<typeof channelTypesApi> {
  return {
    list: () => channels.catalog.types(),
    modelEnds: ({ type, models, model_mapping }) => {
      const mapping = Object.entries(parseObject(model_mapping) ?? {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      );
      return channels.catalog
        .endingModels(type, models, Object.fromEntries(mapping))
        .map(({ model, ends, successor = '' }) => ({ model, ends, successor }));
    },
  };
}

function keyHandlers({ channels, relay }: App): Handlers<typeof channelKeysApi> {
  return {
    list: async ({ id }) =>
      presentKeys(await channels.keys.list(id), relay.keyHealth(id), await channels.keys.spend(id)),
    change: async ({ id, action, names, reason }, context) => {
      // Read before: what is changed stays so, even if the database fails then.
      const spend = await channels.keys.spend(id);
      const keys = await channels.keys.edit(actorOf(context), id, action, names, reason);
      return presentKeys(keys, relay.keyHealth(id), spend);
    },
    add: async ({ id, keys: text }, context) => {
      const spend = await channels.keys.spend(id);
      const { added, repeated, ...keys } = await channels.keys.add(actorOf(context), id, text);
      return { ...presentKeys(keys, relay.keyHealth(id), spend), added, repeated: [...repeated] };
    },
    test: async ({ id, name: keyName, model }, context) => {
      const request = { keyName, model, language: context.language };
      const result = await channels.tests.testKey(actorOf(context), id, request);
      const { ok, message, milliseconds, disables = false } = result;
      return { success: ok, message, time: milliseconds / 1000, at_fault: disables };
    },
  };
}

function channelRunHandlers({ channels }: App): Handlers<typeof channelRunsApi> {
  const { tests, accounts } = channels;
  return {
    get: () => ({ tests: tests.report(), balances: accounts.report() }),
    stopTests: async () => {
      await tests.cancelRun();
      return tests.report();
    },
    stopBalances: async () => {
      await accounts.cancelRun();
      return accounts.report();
    },
  };
}

function modelSyncHandlers({ channels }: App): Handlers<typeof modelSyncApi> {
  return {
    run: async ({ source, list, adopt, prices, all_prices }, context) => {
      const given = list && {
        name: list.name,
        own: list.own,
        models: checked(list.models),
        rules: readAdditions({ rules: list.rules, rows: [] }).rules,
      };
      const { sources, changes } = await channels.models.run(actorOf(context), {
        source,
        ...(given && { list: given }),
        adopt,
        prices: all_prices ? 'all' : prices,
      });
      return {
        sources: sources.map(({ name, models, error }) => ({
          name,
          models,
          error: syncErrorText(error),
        })),
        changes: changes.map((change) => ({
          ...change,
          from: { ...change.from },
          to: { ...change.to },
        })),
      };
    },
  };
}

function routeHandlers({ relay }: App): Handlers<typeof routesApi> {
  return { explain: ({ model, group }) => relay.explainRoute(model, group) };
}

/** Channels in replies: with their health and, many at once, what is wrong with prices and costs. */
function channelPresenter({ channels, relay, losses }: Pick<App, 'channels' | 'relay' | 'losses'>) {
  const present = (channel: Parameters<typeof channels.present>[0]) =>
    channels.present(channel, relay.channelHealth(channel.id));
  const presentAll = async (
    items: readonly Parameters<typeof present>[0][],
    language: Language,
  ): Promise<ChannelEntity[]> => {
    if (items.length === 0) return [];
    const found = await losses.list(language, new Set(items.map(({ id }) => id)));
    const marks = Map.groupBy(found, ({ channelId }) => channelId);
    return items.map((channel) => {
      const own = marks.get(channel.id);
      const entity = present(channel);
      return own === undefined
        ? entity
        : { ...entity, marks: own.map(({ kind, text }) => ({ kind, text })) };
    });
  };
  return { present, presentAll };
}

function tagHandlers(app: App): Handlers<typeof channelTagsApi> {
  const { channels } = app;
  const { presentAll } = channelPresenter(app);
  return {
    list: async ({ p, page_size, id_sort, ...input }, { language }) => {
      const order = id_sort ? 'id' : 'priority';
      const filter = readFilters(channelFilters, input);
      const page = await channels.tagPage(order, pageRequest(p, page_size, 0), filter);
      return {
        tags: page.tags.map(({ autoDisabled, usedQuota, responseTime, groups, ...sums }) => ({
          ...sums,
          auto_disabled: autoDisabled,
          used_quota: usedQuota,
          response_time: responseTime,
          groups: [...groups],
        })),
        channels: await presentAll(page.channels, language),
        total: page.total,
      };
    },
    values: async ({ tag }) => {
      const { models, groups, modelMappings } = await channels.tags.values(tag);
      return { models: [...models], groups: [...groups], model_mappings: [...modelMappings] };
    },
  };
}

function connectionHandlers(app: App): Handlers<typeof channelApi> {
  const { channels, catalog } = app;
  const { tags, tests, accounts } = channels;
  const { present, presentAll } = channelPresenter(app);
  return {
    list: async ({ p, page_size, id_sort, tag_mode, untagged, ...input }, { language }) => {
      const order = { order: id_sort ? 'id' : 'priority', byTag: tag_mode, untagged } as const;
      const filter = readFilters(channelFilters, input);
      const page = await channels.page(order, pageRequest(p, page_size, 0), filter);
      return { items: await presentAll(page.items, language), total: page.total };
    },
    search: async ({ id_sort, tag_mode, ...input }, { language }) => {
      const found = await channels.search(
        { order: id_sort ? 'id' : 'priority', byTag: tag_mode },
        readFilters(channelFilters, input),
      );
      return { items: await presentAll(found.items, language), total: found.total };
    },
    get: async ({ id }, { language }) => {
      const channel = await channels.get(id);
      const [entity = present(channel)] = await presentAll([channel], language);
      return entity;
    },
    models: () => channels.catalog.models(),
    enabledModels: async () => [...(await catalog.enabledModels())],
    modelsByType: () => channels.catalog.modelsByType(),
    groups: () => [...catalog.groupNames()],
    fetchModels: async ({ id }) => [...(await accounts.listModels(id))],
    previewModels: async ({ base_url, ...draft }) => [
      ...(await accounts.previewModels({ ...draft, baseUrl: base_url })),
    ],
    create: async ({ copy_from, ...input }, context) => ({
      ids: [
        ...(await channels.create(
          actorOf(context),
          { ...readChannelInput(input), type: input.type },
          copy_from,
        )),
      ],
    }),
    copy: async ({ id, suffix, reset_balance }, context) => ({
      id: await channels.copy(actorOf(context), id, { suffix, resetBalance: reset_balance }),
    }),
    update: async ({ id, status, ...input }, context) =>
      present(await channels.update(actorOf(context), id, readChannelInput(input), status)),
    remove: async ({ id }, context) => {
      await channels.remove(actorOf(context), [id]);
    },
    removeDisabled: (_input, context) => channels.removeDisabled(actorOf(context)),
    removeMany: ({ ids }, context) => channels.remove(actorOf(context), ids),
    setStatusMany: ({ ids, status }, context) =>
      channels.setStatusMany(actorOf(context), ids, status),
    testMany: async ({ ids }, context) => {
      await tests.startSome(actorOf(context), ids);
    },
    tagMany: ({ ids, tag }, context) => tags.assign(actorOf(context), ids, tag ?? ''),
    enableTag: async ({ tag }, context) => {
      await tags.setEnabled(actorOf(context), tag, true);
    },
    disableTag: async ({ tag }, context) => {
      await tags.setEnabled(actorOf(context), tag, false);
    },
    editTag: async (input, context) => {
      await tags.edit(actorOf(context), input.tag, {
        newTag: input.new_tag ?? undefined,
        modelMapping: input.model_mapping ?? undefined,
        models: input.models ?? undefined,
        group: input.groups ?? undefined,
        priority: input.priority ?? undefined,
        weight: input.weight ?? undefined,
      });
    },
    fix: (_input, context) => channels.fix(actorOf(context)),
    test: async ({ id, model, endpoint_type: endpoint, stream }, context) => {
      const request = {
        model,
        stream,
        language: context.language,
        ...(endpoint === '' ? {} : { endpoint }),
      };
      const { ok, message, milliseconds } = await tests.test(actorOf(context), id, request);
      return { success: ok, message, time: milliseconds / 1000 };
    },
    testAll: async (_input, context) => {
      await tests.startAll(actorOf(context));
    },
    updateBalance: async ({ id }) => {
      const { amount, currency } = await accounts.updateBalance(id);
      return { success: true, message: '', balance: amount, currency };
    },
    updateAllBalances: () => {
      accounts.startAllBalances();
    },
  };
}
