import type { UserEntity } from '../../core/contract/entities.ts';
import { userFields } from '../../core/entities/user.ts';
import { isAdmin } from '../../core/vocabulary/roles.ts';
import { userStatuses } from '../../core/vocabulary/statuses.ts';
import { effectiveUserStatus } from '../../core/vocabulary/user-state.ts';
import { userColumns } from '../show/columns.ts';
import { isDifference, readAmount } from './amounts.ts';
import { declaredFields } from './declared-fields.ts';
import type { EntityCommand, EntitySpec } from './entity-spec.ts';
import { onOrOff } from './row-state.ts';
import { pageSize } from './sizes.ts';
import { type Host, viewTitles } from './view.ts';

const isActive = (user: UserEntity) => effectiveUserStatus(user) === userStatuses.active;

/**
 * With the balance that was read, the gateway applies the difference: quota spent meanwhile stays
 * spent.
 */
async function setBalance({ client }: Host, id: number, newBalance: (before: number) => number) {
  const { quota: before } = await client.user.get({ id });
  const after = newBalance(before);
  await client.user.update({ id, quota: after, quota_base: before });
  return { id, before, after };
}

const changeQuota: EntityCommand<UserEntity> = {
  action: 'quota',
  run: (host, { rows, name, reload }) =>
    host.prompt(texts.quota, name, '', async (text) => {
      const amount = readAmount(host, text);
      const changed: Awaited<ReturnType<typeof setBalance>>[] = [];
      try {
        for (const { id } of rows) {
          changed.push(
            await setBalance(host, id, (before) => (isDifference(text) ? before + amount : amount)),
          );
        }
      } finally {
        await reload();
      }
      const [first = { before: 0, after: 0 }] = changed;
      const { total } = host.cells.money;
      const figures = { name, before: total(first.before), after: total(first.after) };
      const message = host.localize(
        rows.length === 1 ? texts.quotaChanged : texts.quotasChanged,
        figures,
      );
      host.showChange(message, async () => {
        for (const { id, before, after } of changed)
          await setBalance(host, id, (now) => now - (after - before));
      });
    }),
};

const changeRole: EntityCommand<UserEntity> = {
  action: 'role',
  run(host, { rows, name, reload }) {
    const isPromotion = rows.some((row) => !isAdmin(row.role));
    const change = async (promotes: boolean) => {
      for (const { id } of rows)
        await host.client.user.manage({ id, action: promotes ? 'promote' : 'demote' });
    };
    host.ask(isPromotion ? texts.promote : texts.demote, name, async () => {
      try {
        await change(isPromotion);
        host.showChange(host.localize(texts.roleChanged, { name }), () => change(!isPromotion));
      } finally {
        await reload();
      }
    });
  },
};

const signOut: EntityCommand<UserEntity> = {
  action: 'signOut',
  run: (host, { rows, name }) =>
    host.ask(texts.signOut, name, async () => {
      let count = 0;
      for (const { id } of rows) count += (await host.client.session.endOf({ id })).ended;
      host.showMessage(host.localize(texts.signedOut, { name, count }), 'ok');
    }),
};

/** A page of users in an order of the gateway: names from a to z, figures from the largest. */
const sortedBy =
  (sort: 'name' | 'quota' | 'used' | 'requests') =>
  ({ client }: Host, keyword: string, page: number) =>
    client.user.search({
      p: page + 1,
      page_size: pageSize,
      keyword,
      sort,
      ascending: sort === 'name',
    });

export const userSpec: EntitySpec<UserEntity> = {
  title: viewTitles.users,
  columns: userColumns,
  keyOf: (row) => row.id,
  nameOf: (row) => row.username,
  state: onOrOff(isActive),
  load: ({ client }, filter, page) => {
    const request = { p: page + 1, page_size: pageSize };
    return filter === ''
      ? client.user.list(request)
      : client.user.search({ ...request, keyword: filter });
  },
  toggle: {
    isOn: isActive,
    apply: async ({ client }, row, on) => {
      await client.user.manage({ id: row.id, action: on ? 'enable' : 'disable' });
    },
  },
  fields: declaredFields(
    userFields,
    ['username', 'display_name', 'group'],
    ({ client }, row: UserEntity, changes) => client.user.update({ ...changes, id: row.id }),
  ),
  commands: [changeQuota, changeRole, signOut],
  orders: [
    { title: { en: 'balance', zh: '余额' }, load: sortedBy('quota') },
    { title: { en: 'used', zh: '已用' }, load: sortedBy('used') },
    { title: { en: 'requests', zh: '请求数' }, load: sortedBy('requests') },
    { title: { en: 'name', zh: '名称' }, load: sortedBy('name') },
  ],
};

const texts = {
  quota: {
    en: 'balance of {name} (500000, $1, +$5, -$5): ',
    zh: '{name} 的余额（500000、$1、+$5、-$5）：',
  },
  quotaChanged: {
    en: 'Balance of {name}: {before}, now {after}',
    zh: '{name} 的余额：原为 {before}，现为 {after}',
  },
  quotasChanged: { en: 'Changed the balance of {name}', zh: '已修改 {name} 的余额' },
  promote: { en: 'make {name} an administrator?', zh: '将 {name} 设为管理员？' },
  demote: { en: 'make {name} a normal user?', zh: '将 {name} 降为普通用户？' },
  roleChanged: { en: 'Changed the role of {name}', zh: '已修改 {name} 的角色' },
  signOut: { en: 'sign {name} out everywhere?', zh: '让 {name} 在所有设备上退出登录？' },
  signedOut: {
    en: '{name}: {count} {count:session|sessions} ended',
    zh: '{name}：已结束 {count} 个会话',
  },
} as const;
