import type { TokenEntity } from '../../core/contract/entities.ts';
import { tokenFields } from '../../core/entities/token.ts';
import { tokenStatuses } from '../../core/vocabulary/statuses.ts';
import { effectiveTokenStatus, lastUseOf } from '../../core/vocabulary/token-state.ts';
import { tokenColumns } from '../show/columns.ts';
import { toneFor } from '../show/labels.ts';
import { declaredFields } from './declared-fields.ts';
import type { EntitySpec } from './entity-spec.ts';
import { pageSize } from './sizes.ts';
import { viewTitles } from './view.ts';

type OwnedToken = TokenEntity & { readonly username: string };

export const tokenSpec: EntitySpec<OwnedToken> = {
  title: viewTitles.tokens,
  columns: tokenColumns,
  keyOf: (row) => row.id,
  nameOf: (row) => row.name,
  state: (row, { glyphs, cells }) => {
    const status = effectiveTokenStatus(row, cells.now);
    const glyph =
      status === tokenStatuses.enabled
        ? glyphs.on
        : status === tokenStatuses.disabled
          ? glyphs.off
          : glyphs.failed;
    return { glyph, tone: toneFor('status.token', status) };
  },
  load: ({ client }, filter, page) =>
    client.userTokens.list({ p: page + 1, page_size: pageSize, keyword: filter }),
  toggle: {
    isOn: (row) => row.status === tokenStatuses.enabled,
    apply: async ({ client }, row, on) => {
      await client.userTokens.update({
        id: row.id,
        status: on ? tokenStatuses.enabled : tokenStatuses.disabled,
      });
    },
  },
  remove: async ({ client }, row) => {
    await client.userTokens.remove({ id: row.id });
  },
  fields: declaredFields(
    tokenFields,
    [
      'name',
      'remain_quota',
      'unlimited_quota',
      'expired_time',
      'model_limits',
      'allow_ips',
      'group',
    ],
    ({ client }, row: OwnedToken, changes) => {
      const { model_limits: models } = changes;
      // As on the command line: a list of models switches the limit on, an empty one off.
      const limit = models === undefined ? {} : { model_limits_enabled: models !== '' };
      return client.userTokens.update({ ...changes, ...limit, id: row.id });
    },
  ),
  orders: [
    {
      title: { en: 'balance', zh: '余额' },
      figure: (row) => (row.unlimited_quota ? Number.POSITIVE_INFINITY : row.remain_quota),
    },
    { title: { en: 'used', zh: '已用' }, figure: (row) => row.used_quota },
    { title: { en: 'last use', zh: '最近使用' }, figure: lastUseOf },
    { title: { en: 'name', zh: '名称' }, figure: (row) => row.name },
  ],
};
