import type { App } from '../../core/app.ts';
import type { ChannelFields } from '../../core/channels/channel-fields.ts';
import { presentChannel } from '../../core/channels/present-channel.ts';
import type { channelApi } from '../../core/contract/channel.ts';
import { actorOf, type Handlers, pageRequest } from './context.ts';

export function channelHandlers(app: App): Handlers<typeof channelApi> {
  const { channels, channelTags, channelTests, channelAccounts } = app;
  const present = (channel: Parameters<typeof presentChannel>[0]) =>
    presentChannel(channel, app.providers, app.channelHealth(channel.id));
  return {
    list: async ({ p, page_size, id_sort, tag_mode, status, test_failed, ...filter }) => {
      const order = { order: id_sort ? 'id' : 'priority', byTag: tag_mode } as const;
      const page = await channels.page(order, pageRequest(p, page_size, 0), { ...filter, status, testFailed: test_failed });
      return { items: page.items.map(present), total: page.total };
    },
    search: async ({ id_sort, tag_mode, ...filter }) => {
      const found = await channels.search({ order: id_sort ? 'id' : 'priority', byTag: tag_mode }, filter);
      return { items: found.items.map(present), total: found.total };
    },
    get: async ({ id }) => present(await channels.get(id)),
    models: () => app.channelCatalog.models(),
    enabledModels: async () => [...(await app.catalog.enabledModels())],
    modelsByType: () => app.channelCatalog.modelsByType(),
    groups: () => [...app.catalog.groupNames()],
    fetchModels: async ({ id }) => [...(await channelAccounts.listModels(id))],
    previewModels: async ({ base_url, ...draft }) => [...(await channelAccounts.previewModels({ ...draft, baseUrl: base_url }))],
    create: async ({ copy_from, ...input }, context) => ({
      ids: [...(await channels.create(actorOf(context), { ...readFields(input), type: input.type }, copy_from))],
    }),
    copy: async ({ id, suffix, reset_balance }, context) => ({
      id: await channels.copy(actorOf(context), id, { suffix, resetBalance: reset_balance }),
    }),
    update: async ({ id, status, ...input }, context) =>
      present(await channels.update(actorOf(context), id, readFields(input), status)),
    remove: async ({ id }, context) => {
      await channels.remove(actorOf(context), [id]);
    },
    removeDisabled: (_input, context) => channels.removeDisabled(actorOf(context)),
    removeMany: ({ ids }, context) => channels.remove(actorOf(context), ids),
    setStatusMany: ({ ids, status }, context) => channels.setStatusMany(actorOf(context), ids, status),
    testMany: async ({ ids }, context) => {
      await channelTests.startSome(actorOf(context), ids);
    },
    tagMany: ({ ids, tag }, context) => channelTags.assign(actorOf(context), ids, tag ?? ''),
    enableTag: async ({ tag }, context) => {
      await channelTags.setEnabled(actorOf(context), tag, true);
    },
    disableTag: async ({ tag }, context) => {
      await channelTags.setEnabled(actorOf(context), tag, false);
    },
    editTag: async (input, context) => {
      await channelTags.edit(actorOf(context), input.tag, {
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
      const request = { model, stream, language: context.language, ...(endpoint === '' ? {} : { endpoint }) };
      const { ok, message, milliseconds } = await channelTests.test(actorOf(context), id, request);
      return { success: ok, message, time: milliseconds / 1000 };
    },
    testAll: async (_input, context) => {
      await channelTests.startAll(actorOf(context));
    },
    updateBalance: async ({ id }) => {
      const { amount, currency } = await channelAccounts.updateBalance(id);
      return { success: true, message: '', balance: amount, currency };
    },
    updateAllBalances: () => {
      channelAccounts.startAllBalances();
    },
  };
}

interface WireFields {
  readonly name?: string;
  readonly type?: number;
  readonly key?: string;
  readonly models?: string;
  readonly group?: string;
  readonly base_url?: string | null;
  readonly other?: string | null;
  readonly openai_organization?: string | null;
  readonly test_model?: string | null;
  readonly max_input_tokens?: number | null;
  readonly model_mapping?: string | null;
  readonly status_code_mapping?: string | null;
  readonly setting?: string | null;
  readonly priority?: number;
  readonly weight?: number;
  readonly auto_ban?: number;
  readonly tag?: string | null;
  readonly param_override?: string | null;
}

/** Presence decides: an absent field stays absent, null is the empty text (spec, console-api 6.4). */
function readFields(input: WireFields): Partial<ChannelFields> {
  const text = (value: string | null | undefined) => (value === null ? '' : value);
  return {
    name: input.name,
    type: input.type,
    key: input.key,
    models: input.models,
    group: input.group,
    baseUrl: text(input.base_url),
    other: text(input.other),
    openaiOrganization: text(input.openai_organization),
    testModel: text(input.test_model),
    maxInputTokens: input.max_input_tokens ?? (input.max_input_tokens === null ? 0 : undefined),
    modelMapping: text(input.model_mapping),
    statusCodeMapping: text(input.status_code_mapping),
    setting: text(input.setting),
    priority: input.priority,
    weight: input.weight,
    autoBan: input.auto_ban === undefined ? undefined : input.auto_ban === 1,
    tag: text(input.tag),
    paramOverride: text(input.param_override),
  };
}
