/** Entries of the audit log as sentences (docs/rules/security.md#audit-sentences). */
import { describe, expect, it } from 'vitest';
import { auditActionsWith } from '../../../src/core/entities/audit-search.ts';
import {
  auditRestText,
  auditSentence,
  auditSentenceText,
  idRanges,
} from '../../../src/core/entities/audit-sentence.ts';
import { amountOptions, auditFieldLabel } from '../../../src/core/entities/audit-values.ts';
import { optionKeys } from '../../../src/core/options/registry.ts';
import { type AuditAction, auditActions } from '../../../src/core/vocabulary/audit-actions.ts';
import { auditPhrases } from '../../../src/core/vocabulary/audit-phrases.ts';

const texts = {
  money: (quota: number) => `$${(quota / 500_000).toFixed(2)}`,
  time: (seconds: number) => new Date(seconds * 1000).toISOString(),
  word: (group: string, value: number) => `${group}.${value}`,
  option: (key: string) => (key === 'SystemName' ? 'Site name' : undefined),
};
const entryOf = (action: string, target: string | number, detail: object = {}) => ({
  action,
  target: String(target),
  detail: JSON.stringify(detail),
});
const say = (action: string, target: string | number, detail: object = {}) => {
  const entry = entryOf(action, target, detail);
  return [
    auditSentenceText(entry, 'en', texts),
    auditSentenceText(entry, 'zh', texts),
    auditRestText(entry, 'en', texts),
  ];
};
const status = (from: number, to: number) => ({ changes: { status: { from, to } } });

/** An entry of each action as the services record it, with its sentences and what is beside them. */
const examples: Readonly<Record<AuditAction, readonly string[]>> = {
  'site.setup': say('site.setup', 1),
  'site.rotate_keys': say('site.rotate_keys', ''),
  'user.create': say('user.create', 2, { username: 'Bob', role: 10 }),
  'user.update': say('user.update', 2, {
    username: 'Bob',
    changes: { group: { from: 'a', to: 'b' } },
  }),
  'user.quota': say('user.quota', 2, { username: 'Bob', from: 0, to: 100_000 }),
  'user.grant': say('user.grant', 2, { username: 'Bob', quota: 100_000, remark: 'thanks' }),
  'user.promote': say('user.promote', 2, { username: 'Bob' }),
  'user.demote': say('user.demote', 2, { username: 'Bob' }),
  'user.disable': say('user.disable', 2, { username: 'Bob' }),
  'user.enable': say('user.enable', 2, { username: 'Bob' }),
  'user.delete': say('user.delete', 2, { username: 'Bob' }),
  'user.remove': say('user.remove', 2, { username: 'Bob' }),
  'user.remove_self': say('user.remove_self', 2),
  'user.system_token': say('user.system_token', 2, { username: 'Bob' }),
  'user.password': say('user.password', 2, { username: 'Bob' }),
  'user.password_reset': say('user.password_reset', 2, { username: 'Bob' }),
  'user.disavow': say('user.disavow', 2, { way: 'email' }),
  'user.transfer': say('user.transfer', 2, { reference: 'ref', quota: 500_000 }),
  'user.bind': say('user.bind', 2, { username: 'Bob', method: 'github' }),
  'user.unbind': say('user.unbind', 2, { username: 'Bob', method: 'github' }),
  'user.phone_bind': say('user.phone_bind', 2, { username: 'Bob' }),
  'user.phone_unbind': say('user.phone_unbind', 2, { username: 'Bob' }),
  'user.recovery_codes': say('user.recovery_codes', 2, { username: 'Bob' }),
  'user.second_factor_add': say('user.second_factor_add', 2, { username: 'Bob', kind: 'totp' }),
  'user.second_factor_remove': say('user.second_factor_remove', 2, {
    username: 'Bob',
    kind: 'totp',
  }),
  'user.second_factor_reset': say('user.second_factor_reset', 2, { username: 'Bob' }),
  'user.sign_out': say('user.sign_out', 2, { username: 'Bob', sessions: 2 }),
  'channel.create': say('channel.create', '8,9,10,11,13,15,20', { name: 'Mistral', type: 42 }),
  'channel.copy': say('channel.copy', 9, { name: 'Mistral copy', from: 8 }),
  'channel.update': say('channel.update', 8, { name: 'Mistral', ...status(1, 2) }),
  'channel.remove': say('channel.remove', '8,9,10', {}),
  'channel.add_keys': say('channel.add_keys', 8, { name: 'Mistral', count: 3 }),
  'channel.disable_keys': say('channel.disable_keys', 8, { name: 'Mistral', count: 2 }),
  'channel.enable_keys': say('channel.enable_keys', 8, { name: 'Mistral', count: 1 }),
  'channel.remove_keys': say('channel.remove_keys', 8, { name: 'Mistral', count: 2 }),
  'channel.remove_disabled': say('channel.remove_disabled', 1),
  'channel.fix': say('channel.fix', 4),
  'channel.edit_tag': say('channel.edit_tag', 'spare', { changes: { weight: { to: 3 } } }),
  'channel.enable_tag': say('channel.enable_tag', 'spare'),
  'channel.disable_tag': say('channel.disable_tag', 'spare'),
  'channel.assign_tag': say('channel.assign_tag', 'spare', { ids: [1, 2, 3] }),
  'token.create': say('token.create', 5, { owner: 'ann', name: 'laptop' }),
  'token.update': say('token.update', 5, { owner: 'ann', name: 'laptop', ...status(1, 2) }),
  'token.remove': say('token.remove', 5, { owner: 'ann', name: 'laptop' }),
  'redemption.create': say('redemption.create', 'spring', { quota: 500_000, count: 5 }),
  'redemption.update': say('redemption.update', 3, {
    name: 'spring',
    changes: { quota: { from: 0, to: 500_000 } },
  }),
  'redemption.status': say('redemption.status', 3, { name: 'spring', from: 1, to: 2 }),
  'redemption.remove': say('redemption.remove', 3, { name: 'spring' }),
  'redemption.remove_invalid': say('redemption.remove_invalid', '', { count: 7 }),
  'model.create': say('model.create', 'm-1'),
  'model.update': say('model.update', 'm-1', { changes: { tags: { from: '', to: 'x' } } }),
  'model.remove': say('model.remove', 'm-1'),
  'option.set': say('option.set', 'QuotaForNewUser', { from: '0', to: '100000' }),
  'option.reset': say('option.reset', 'SystemName', { from: 'a', to: 'b' }),
  'budget.create': say('budget.create', 4, { name: 'team', amount: 500_000 }),
  'budget.update': say('budget.update', 4, {
    name: 'team',
    changes: { amount: { from: 0, to: 500_000 } },
  }),
  'budget.delete': say('budget.delete', 4, { name: 'team' }),
  'budget.grant': say('budget.grant', 4, { name: 'team', window: 1, amount: 500_000 }),
  'topup.complete': say('topup.complete', 'T-1', { userId: 2, quota: 500_000, money: '7.30' }),
  'topup.refund': say('topup.refund', 'T-1', { userId: 2, money: '7.30', reason: 'twice' }),
  'node.drain': say('node.drain', 'web-2 http://127.0.0.1:3000'),
  'node.stop': say('node.stop', 'web-2 http://127.0.0.1:3000'),
  'node.resume': say('node.resume', 'web-2 http://127.0.0.1:3000'),
  'log.prune': say('log.prune', 1_795_382_682, { count: 120 }),
  'log.archive': say('log.archive', 'logs-2026-01-01T000000Z-5f0c21ab.jsonl.gz', {
    count: 500,
    place: '/mnt/archive',
    kept: false,
  }),
  'log.restore': say('log.restore', 'logs-2026-01-01T000000Z-5f0c21ab.jsonl.gz', {
    count: 500,
    place: '/mnt/archive',
  }),
  'files.clean': say('files.clean', '', { deleted: 1 }),
};

describe('each declared action', () => {
  it('has its sentence in both languages', () => {
    expect(Object.keys(examples)).toEqual(Object.keys(auditActions));
    expect(examples).toMatchInlineSnapshot(`
      {
        "budget.create": [
          "added budget team",
          "添加了预算 team",
          "amount: $1.00",
        ],
        "budget.delete": [
          "deleted budget team",
          "删除了预算 team",
          "",
        ],
        "budget.grant": [
          "added $1.00 to budget team",
          "为预算 team 追加了 $1.00",
          "window: 1",
        ],
        "budget.update": [
          "edited budget team",
          "编辑了预算 team",
          "amount $0.00 → $1.00",
        ],
        "channel.add_keys": [
          "added 3 keys to channel Mistral",
          "为渠道 Mistral 添加了 3 个密钥",
          "",
        ],
        "channel.assign_tag": [
          "set the tag spare on channels 1 to 3",
          "将标签 spare 设置给渠道 1 至 3",
          "",
        ],
        "channel.copy": [
          "copied channel 8 to Mistral copy",
          "将渠道 8 复制为 Mistral copy",
          "",
        ],
        "channel.create": [
          "created channels Mistral (8 to 11, 13, 15, 20)",
          "创建了渠道 Mistral（8 至 11、13、15、20）",
          "type: Mistral",
        ],
        "channel.disable_keys": [
          "disabled 2 keys of channel Mistral",
          "停用了渠道 Mistral 的 2 个密钥",
          "",
        ],
        "channel.disable_tag": [
          "disabled the channels of tag spare",
          "停用了标签 spare 下的渠道",
          "",
        ],
        "channel.edit_tag": [
          "edited the channels of tag spare",
          "编辑了标签 spare 下的渠道",
          "weight … → 3",
        ],
        "channel.enable_keys": [
          "enabled 1 key of channel Mistral",
          "启用了渠道 Mistral 的 1 个密钥",
          "",
        ],
        "channel.enable_tag": [
          "enabled the channels of tag spare",
          "启用了标签 spare 下的渠道",
          "",
        ],
        "channel.fix": [
          "rebuilt the index of channels",
          "重建了渠道索引",
          "",
        ],
        "channel.remove": [
          "deleted channels 8 to 10",
          "删除了渠道 8 至 10",
          "",
        ],
        "channel.remove_disabled": [
          "deleted 1 disabled channel",
          "删除了 1 个已停用的渠道",
          "",
        ],
        "channel.remove_keys": [
          "deleted 2 keys of channel Mistral",
          "删除了渠道 Mistral 的 2 个密钥",
          "",
        ],
        "channel.update": [
          "disabled channel Mistral",
          "停用了渠道 Mistral",
          "",
        ],
        "files.clean": [
          "deleted 1 unused file",
          "清理了 1 个无用文件",
          "",
        ],
        "log.archive": [
          "archived 500 rows of old logs in logs-2026-01-01T000000Z-5f0c21ab.jsonl.gz",
          "将 500 行旧日志归档到 logs-2026-01-01T000000Z-5f0c21ab.jsonl.gz",
          "place: /mnt/archive, not deleted: false",
        ],
        "log.prune": [
          "deleted 120 rows of old logs",
          "删除了 120 行旧日志",
          "",
        ],
        "log.restore": [
          "restored 500 rows from logs-2026-01-01T000000Z-5f0c21ab.jsonl.gz",
          "从 logs-2026-01-01T000000Z-5f0c21ab.jsonl.gz 恢复了 500 行日志",
          "place: /mnt/archive",
        ],
        "model.create": [
          "added m-1 to the model list",
          "在模型广场添加了 m-1",
          "",
        ],
        "model.remove": [
          "removed m-1 from the model list",
          "从模型广场删除了 m-1",
          "",
        ],
        "model.update": [
          "edited m-1 in the model list",
          "编辑了模型广场的 m-1",
          "tags  → x",
        ],
        "node.drain": [
          "drained gateway web-2 http://127.0.0.1:3000",
          "停止向网关 web-2 http://127.0.0.1:3000 分配请求",
          "",
        ],
        "node.resume": [
          "resumed gateway web-2 http://127.0.0.1:3000",
          "恢复了网关 web-2 http://127.0.0.1:3000",
          "",
        ],
        "node.stop": [
          "stopped gateway web-2 http://127.0.0.1:3000",
          "停止了网关 web-2 http://127.0.0.1:3000",
          "",
        ],
        "option.reset": [
          "reset setting Site name",
          "恢复了设置 Site name 的默认值",
          "a → b",
        ],
        "option.set": [
          "changed setting QuotaForNewUser",
          "修改了设置 QuotaForNewUser",
          "$0.00 → $0.20",
        ],
        "redemption.create": [
          "created 5 redemption codes spring, $1.00 each",
          "创建了 5 个兑换码 spring，每个 $1.00",
          "",
        ],
        "redemption.remove": [
          "deleted redemption code spring",
          "删除了兑换码 spring",
          "",
        ],
        "redemption.remove_invalid": [
          "deleted 7 invalid redemption codes",
          "删除了 7 个无效的兑换码",
          "",
        ],
        "redemption.status": [
          "disabled redemption code spring",
          "停用了兑换码 spring",
          "",
        ],
        "redemption.update": [
          "edited redemption code spring",
          "编辑了兑换码 spring",
          "quota $0.00 → $1.00",
        ],
        "site.rotate_keys": [
          "changed the key that encrypts secrets",
          "更换了加密机密的密钥",
          "",
        ],
        "site.setup": [
          "set up the site",
          "完成了站点初始化",
          "",
        ],
        "token.create": [
          "created token laptop of user ann",
          "为用户 ann 创建了令牌 laptop",
          "",
        ],
        "token.remove": [
          "deleted token laptop of user ann",
          "删除了用户 ann 的令牌 laptop",
          "",
        ],
        "token.update": [
          "disabled token laptop of user ann",
          "停用了用户 ann 的令牌 laptop",
          "",
        ],
        "topup.complete": [
          "completed order T-1 by hand, which credited $1.00",
          "手动补单 T-1，入账 $1.00",
          "user: 2, paid: 7.30",
        ],
        "topup.refund": [
          "refunded ¥7.30 of order T-1",
          "为订单 T-1 退款 ¥7.30",
          "user: 2, reason: twice",
        ],
        "user.bind": [
          "linked a way to sign in to user Bob",
          "为用户 Bob 绑定了登录方式",
          "method: github",
        ],
        "user.create": [
          "added administrator Bob",
          "添加了管理员 Bob",
          "",
        ],
        "user.delete": [
          "deactivated user Bob",
          "注销了用户 Bob",
          "",
        ],
        "user.demote": [
          "took administrator rights from user Bob",
          "将用户 Bob 降为普通用户",
          "",
        ],
        "user.disable": [
          "banned user Bob",
          "封禁了用户 Bob",
          "",
        ],
        "user.disavow": [
          "said that a change was not their own",
          "声明某项修改并非本人操作",
          "change: email",
        ],
        "user.enable": [
          "unbanned user Bob",
          "解封了用户 Bob",
          "",
        ],
        "user.grant": [
          "granted $0.20 to user Bob",
          "向用户 Bob 赠送了 $0.20",
          "remark: thanks",
        ],
        "user.password": [
          "changed their own password",
          "修改了自己的密码",
          "",
        ],
        "user.password_reset": [
          "reset the password of user Bob",
          "重置了用户 Bob 的密码",
          "",
        ],
        "user.phone_bind": [
          "linked a phone number to user Bob",
          "为用户 Bob 绑定了手机号",
          "",
        ],
        "user.phone_unbind": [
          "unlinked the phone number of user Bob",
          "为用户 Bob 解绑了手机号",
          "",
        ],
        "user.promote": [
          "made user Bob an administrator",
          "将用户 Bob 提升为管理员",
          "",
        ],
        "user.quota": [
          "changed the balance of user Bob from $0.00 to $0.20",
          "将用户 Bob 的余额从 $0.00 改为 $0.20",
          "",
        ],
        "user.recovery_codes": [
          "made new recovery codes",
          "重新生成了恢复码",
          "",
        ],
        "user.remove": [
          "deleted user Bob",
          "删除了用户 Bob",
          "",
        ],
        "user.remove_self": [
          "deactivated their own account",
          "注销了自己的账号",
          "",
        ],
        "user.second_factor_add": [
          "added a second factor",
          "添加了两步验证方式",
          "kind: totp",
        ],
        "user.second_factor_remove": [
          "removed a second factor",
          "移除了两步验证方式",
          "kind: totp",
        ],
        "user.second_factor_reset": [
          "removed the second factors of user Bob",
          "重置了用户 Bob 的两步验证",
          "",
        ],
        "user.sign_out": [
          "ended 2 sessions of user Bob",
          "结束了用户 Bob 的 2 个会话",
          "",
        ],
        "user.system_token": [
          "made a system access token",
          "生成了系统访问令牌",
          "",
        ],
        "user.transfer": [
          "transferred $1.00 of invite earnings",
          "划转了 $1.00 邀请收益",
          "reference: ref",
        ],
        "user.unbind": [
          "unlinked a way to sign in from user Bob",
          "为用户 Bob 解绑了登录方式",
          "method: github",
        ],
        "user.update": [
          "edited user Bob",
          "编辑了用户 Bob",
          "group a → b",
        ],
      }
    `);
    for (const said of Object.values(examples).flat())
      expect(said).not.toMatch(/[{}]|undefined|100000|"/);
  });

  it('names in both languages the same, and only what values there are', () => {
    const named = (text: string) =>
      [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
    for (const phrase of [...Object.values(auditActions), ...Object.values(auditPhrases).flat()])
      expect(named(phrase.zh)).toEqual(named(phrase.en));
  });
});

it('says what it can of entries without what the sentence names, and of unknown actions', () => {
  expect(say('user.grant', 2)[0]).toBe('granted quota to user 2');
  expect(say('user.quota', 2, { from: 5 })[0]).toBe('adjusted the quota of user 2');
  expect(auditSentenceText({ ...entryOf('user.promote', 2), detail: 'no JSON' }, 'en', texts)).toBe(
    'made user 2 an administrator',
  );
  expect(say('later.release', 'x')).toEqual(['later.release x', 'later.release x', '']);
  expect(say('toString', 'x')[0]).toBe('toString x');
  // Another change beside the status: the entry is an edit.
  const both = { name: 'm', changes: { status: { from: 1, to: 2 }, weight: { from: 0, to: 1 } } };
  expect(say('channel.update', 8, both)[0]).toBe('edited channel m');
  expect(say('channel.update', '8,9', status(2, 1))[0]).toBe('enabled channels 8, 9');
  expect(say('channel.assign_tag', '', { ids: [4] })[0]).toBe('took the tag from channel 4');
  // Names that look like a placeholder stay as they are.
  expect(
    auditSentence(entryOf('user.grant', 2, { username: '{quota}', quota: 1 }), 'en', texts)
      .parts[1],
  ).toBe('{quota}');
});

it('names many ids by their ranges', () => {
  const ids = (text: string) => [idRanges(text.split(','), 'en'), idRanges(text.split(','), 'zh')];
  expect(ids('8,9,10,11')).toEqual(['8 to 11', '8 至 11']);
  expect(ids('8,9')).toEqual(['8, 9', '8、9']);
  expect(ids('1,3,5,7')).toEqual(['1, 3, 5, 7', '1、3、5、7']);
  expect(ids('8,9,10,11,20,30,40,50,60')).toEqual([
    '8 to 11, 20, 30 and 3 more',
    '8 至 11、20、30 等 9 个',
  ]);
  expect(ids('1,2,3,4,6,7,8,20,21,22')[0]).toBe('1 to 4, 6 to 8, 20 to 22');
});

it('names what is not kept without values', () => {
  expect(say('channel.update', 8, { name: 'm', changes: { key: {} } })[2]).toBe('key changed');
});

it('knows which options are amounts, and the labels of facts', () => {
  for (const name of amountOptions) expect(optionKeys).toContain(name);
  expect(auditFieldLabel('user.grant', 'remark', 'zh')).toBe('备注');
  expect(auditFieldLabel('channel.update', 'priority', 'zh')).toBe('优先级');
  expect(auditFieldLabel('channel.create', 'type', 'zh')).toBe('类型');
  expect(auditFieldLabel('user.grant', 'toString', 'zh')).toBeUndefined();
});

it('finds actions by the words of their sentences in either language', () => {
  expect(auditActionsWith('granted').actions).toEqual(['user.grant']);
  expect(auditActionsWith('封禁').actions).toEqual(['user.disable']);
  expect(auditActionsWith('disabled').changed).toContainEqual({
    action: 'channel.update',
    part: '"status":{"from":%,"to":2}',
  });
  expect(auditActionsWith('nothing of it')).toEqual({ actions: [], changed: [] });
});
