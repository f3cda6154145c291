import { channelFields } from '../entities/channel.ts';
import { channelFilters } from '../entities/channel-filters.ts';
import { z } from '../kernel/zod.ts';
import { endpointTypes } from '../vocabulary/endpoint-types.ts';
import { byId, endpoint, id, ids, nothing, pageQueryFromZero, queryBoolean } from './endpoint.ts';
import { channelEntity } from './entities.ts';
import { entityEditSchema, newEntitySchema } from './entity-schema.ts';
import { filterSchema } from './filter-schema.ts';

/** Which channels a list shows. */
export const channelMatch = filterSchema(channelFilters, 'admins');
const listQuery = z.object({
  id_sort: queryBoolean.default(false),
  tag_mode: queryBoolean.default(false),
});
/** `currency` is an addition: the upstream's own. */
const balanceOutput = z.object({
  success: z.boolean(),
  message: z.string(),
  balance: z.number(),
  currency: z.string(),
});

export const channelApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    shape: 'list',
    input: pageQueryFromZero.extend({
      ...listQuery.shape,
      ...channelMatch.shape,
      /** With `tag_mode`: channels without a tag follow the tags, each counted as one entry. */
      untagged: queryBoolean.default(false),
    }),
    output: z.array(channelEntity),
    summary: 'List channels, by id, name or key, model, group, status and last test',
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    shape: 'list',
    input: listQuery.extend(channelMatch.pick({ keyword: true, group: true, model: true }).shape),
    output: z.array(channelEntity),
    summary: 'Search channels by id, name or key, model and group',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/channel/:id',
    access: 'admin',
    input: byId,
    output: channelEntity,
    summary: 'One channel',
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    input: nothing,
    output: z.array(z.looseObject({ id: z.string(), owned_by: z.string() })),
    summary: 'Every model the built-in providers know',
  }),
  enabledModels: endpoint({
    method: 'GET',
    path: '/api/channel/models_enabled',
    access: 'admin',
    input: nothing,
    output: z.array(z.string()),
    summary: 'Models available on an enabled channel',
  }),
  modelsByType: endpoint({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    input: nothing,
    output: z.record(z.string(), z.array(z.string())),
    summary: 'Built-in models by channel type',
  }),
  groups: endpoint({
    method: 'GET',
    path: '/api/group/',
    access: 'admin',
    input: nothing,
    output: z.array(z.string()),
    summary: 'Group names',
  }),
  fetchModels: endpoint({
    method: 'GET',
    path: '/api/channel/fetch_models/:id',
    access: 'admin',
    input: byId,
    output: z.array(z.string()),
    summary: "Model list of a channel's upstream",
  }),
  previewModels: endpoint({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    /** `other` and `setting` are additions: the address of some types' lists follows from them. */
    input: z.object({
      base_url: z.string().default(''),
      type: z.number().int(),
      key: z.string().default(''),
      other: z.string().default(''),
      setting: z.string().default(''),
    }),
    output: z.array(z.string()),
    summary: 'Model list of an upstream that is not a channel yet',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/channel/',
    access: 'admin',
    input: newEntitySchema(channelFields).extend({ copy_from: id.optional() }),
    /** One API and New API reply without data; the new ids are an addition. */
    output: z.object({ ids: z.array(z.number().int()) }),
    summary: 'Add a channel for each line of the key',
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/channel/copy/:id',
    access: 'admin',
    query: ['suffix', 'reset_balance'],
    input: byId.extend({ suffix: z.string().optional(), reset_balance: queryBoolean.optional() }),
    output: z.object({ id: z.number().int() }),
    summary: 'Copy a channel, key included',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/channel/',
    access: 'admin',
    input: entityEditSchema(channelFields).extend({ id, status: z.number().int().optional() }),
    output: channelEntity,
    summary: 'Change the fields that are present',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/channel/:id',
    access: 'admin',
    input: byId,
    output: z.undefined(),
    summary: 'Delete a channel',
  }),
  removeDisabled: endpoint({
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    input: nothing,
    output: z.number().int(),
    summary: 'Delete every disabled channel',
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/api/channel/batch',
    access: 'admin',
    input: z.object({ ids: z.array(id) }),
    output: z.number().int(),
    summary: 'Delete channels',
  }),
  setStatusMany: endpoint({
    method: 'POST',
    path: '/api/turnpike/channel/batch/status',
    access: 'admin',
    input: z.object({ ids, status: z.number().int() }),
    output: z.number().int(),
    summary: 'Enable or disable channels',
  }),
  testMany: endpoint({
    method: 'POST',
    path: '/api/turnpike/channel/batch/test',
    access: 'admin',
    input: z.object({ ids }),
    output: z.undefined(),
    summary: 'Test channels in the background',
  }),
  tagMany: endpoint({
    method: 'POST',
    path: '/api/channel/batch/tag',
    access: 'admin',
    input: z.object({ ids: z.array(id), tag: z.string().nullish() }),
    output: z.number().int(),
    summary: 'Set or remove the tag of channels',
  }),
  enableTag: endpoint({
    method: 'POST',
    path: '/api/channel/tag/enabled',
    access: 'admin',
    input: z.object({ tag: z.string() }),
    output: z.undefined(),
    summary: 'Enable all channels of a tag',
  }),
  disableTag: endpoint({
    method: 'POST',
    path: '/api/channel/tag/disabled',
    access: 'admin',
    input: z.object({ tag: z.string() }),
    output: z.undefined(),
    summary: 'Disable all channels of a tag',
  }),
  editTag: endpoint({
    method: 'PUT',
    path: '/api/channel/tag',
    access: 'admin',
    input: z.object({
      tag: z.string().default(''),
      new_tag: z.string().nullish(),
      model_mapping: z.string().nullish(),
      models: z.string().nullish(),
      groups: z.string().nullish(),
      priority: z.number().int().nullish(),
      weight: z.number().int().nullish(),
    }),
    output: z.undefined(),
    summary: 'Change all channels of a tag',
  }),
  fix: endpoint({
    method: 'POST',
    path: '/api/channel/fix',
    access: 'admin',
    input: nothing,
    output: z.number().int(),
    summary: 'Rebuild the routing table',
  }),
  test: endpoint({
    method: 'GET',
    path: '/api/channel/test/:id',
    access: 'admin',
    shape: 'flat',
    changes: true,
    input: byId.extend({
      model: z.string().default(''),
      /** Empty: chosen by the model. */
      endpoint_type: z.enum([...endpointTypes, '']).default(''),
      stream: queryBoolean.default(false),
    }),
    /** `time` in seconds; also on failure. */
    output: z.object({ success: z.boolean(), message: z.string(), time: z.number() }),
    summary: 'Send a tiny request through a channel',
  }),
  testAll: endpoint({
    method: 'GET',
    path: '/api/channel/test',
    access: 'admin',
    changes: true,
    input: nothing,
    output: z.undefined(),
    summary: 'Test all channels in the background',
  }),
  updateBalance: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance/:id',
    access: 'admin',
    shape: 'flat',
    changes: true,
    input: byId,
    output: balanceOutput,
    summary: "Read a channel's balance from its upstream",
  }),
  updateAllBalances: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance',
    access: 'admin',
    changes: true,
    input: nothing,
    output: z.undefined(),
    summary: 'Read the balances of all enabled channels in the background',
  }),
};
