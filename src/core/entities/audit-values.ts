/** Fields and values of the audit log, as people read them (docs/rules/security.md#audit-log). */
import { channelTypeInfo } from '../vocabulary/channel-types.ts';
import type { Language } from '../vocabulary/languages.ts';
import type { StatusGroup } from '../vocabulary/status-tones.ts';
import { budgetFields } from './budget.ts';
import { channelFields } from './channel.ts';
import { rowName } from './convert.ts';
import type { Fields } from './field.ts';
import { redemptionFields } from './redemption.ts';
import { tokenFields } from './token.ts';
import { userFields } from './user.ts';

/** By the area of the action. */
const fieldsOf: Readonly<Record<string, Fields>> = {
  user: userFields,
  channel: channelFields,
  token: tokenFields,
  redemption: redemptionFields,
  budget: budgetFields,
};

const statusGroups: Readonly<Record<string, StatusGroup>> = {
  user: 'status.user',
  channel: 'status.channel',
  token: 'status.token',
  redemption: 'status.redemption',
};

/** Of facts that entries keep beside their changes, and of fields without a label of their own. */
const factLabels: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  address: { en: 'address', zh: '地址' },
  autoBan: { en: 'disabled automatically', zh: '自动停用' },
  baseUrl: { en: 'base URL', zh: '接口地址' },
  copy_from: { en: 'copied from', zh: '复制自' },
  count: { en: 'number', zh: '数量' },
  group: { en: 'groups', zh: '分组' },
  ids: { en: 'ids', zh: '编号' },
  key: { en: 'key', zh: '密钥' },
  kept: { en: 'not deleted', zh: '未删除' },
  keys: { en: 'keys', zh: '密钥' },
  kind: { en: 'kind', zh: '类型' },
  method: { en: 'method', zh: '方式' },
  modelMapping: { en: 'model mapping', zh: '模型映射' },
  models: { en: 'models', zh: '模型' },
  money: { en: 'paid', zh: '支付金额' },
  name: { en: 'name', zh: '名称' },
  noted: { en: 'noted', zh: '登记' },
  owner: { en: 'owner', zh: '所有者' },
  paymentMethod: { en: 'payment method', zh: '支付方式' },
  place: { en: 'place', zh: '位置' },
  priority: { en: 'priority', zh: '优先级' },
  reason: { en: 'reason', zh: '原因' },
  reference: { en: 'reference', zh: '凭证' },
  remark: { en: 'remark', zh: '备注' },
  sessions: { en: 'sessions', zh: '会话' },
  setting: { en: 'setting', zh: '设置' },
  status: { en: 'status', zh: '状态' },
  tag: { en: 'tag', zh: '标签' },
  testModel: { en: 'test model', zh: '测试模型' },
  type: { en: 'type', zh: '类型' },
  userId: { en: 'user', zh: '用户' },
  way: { en: 'change', zh: '修改' },
  weight: { en: 'weight', zh: '权重' },
  window: { en: 'window', zh: '窗口' },
};

const areaOf = (action: string): string => action.split('.')[0] ?? '';

/** The label of a field of a row (`remainQuota`) or of a fact (`remark`); undefined: it has none. */
export function auditFieldLabel(
  action: string,
  name: string,
  language: Language,
): string | undefined {
  const fields = Object.entries(fieldsOf[areaOf(action)] ?? {});
  const field = fields.find(([wire]) => rowName(wire) === name || wire === name)?.[1];
  return (field?.label ?? (Object.hasOwn(factLabels, name) ? factLabels[name] : undefined))?.[
    language
  ];
}

/** How an interface writes what has a form of its own. */
export interface AuditTexts {
  /** An integer of quota. */
  money(quota: number): string;
  /** Unix seconds. */
  time(seconds: number): string;
  word(group: StatusGroup, value: number): string;
  /** What the settings call an option; undefined: this release does not know it. */
  option(key: string): string | undefined;
}

/** Options whose number is an amount of quota. */
export const amountOptions: readonly string[] = [
  'QuotaForNewUser',
  'QuotaForInviter',
  'QuotaForInvitee',
  'QuotaRemindThreshold',
];

function isAmount({ action, target }: AuditTarget, name: string): boolean {
  if (areaOf(action) === 'option') return amountOptions.includes(target);
  return (
    /quota$/i.test(name) ||
    (name === '' && action === 'user.quota') ||
    (action.startsWith('budget.') && name === 'amount')
  );
}

/** Whose value it is. */
export interface AuditTarget {
  readonly action: string;
  readonly target: string;
}

/** A time that never comes. */
export const noTime = '—';

/**
 * `name`: the field, '' where the target itself changed. Texts are shown as they are, everything
 * else that has no form of its own as JSON.
 */
export function auditValueText(
  entry: AuditTarget,
  name: string,
  value: unknown,
  texts: AuditTexts,
): string {
  const { action } = entry;
  // Options are kept as they are written.
  if (typeof value === 'string' && isAmount(entry, name) && /^\d+$/.test(value))
    return texts.money(Number(value));
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return JSON.stringify(value);
  if (isAmount(entry, name)) return texts.money(value);
  if (name === 'type' && areaOf(action) === 'channel')
    return channelTypeInfo(value)?.name ?? String(value);
  // Times that never come are stored as 0 or -1.
  if (/(Time|At)$/.test(name)) return value > 0 ? texts.time(value) : noTime;
  const isStatus = name === 'status' || (name === '' && action === 'redemption.status');
  const group = isStatus ? statusGroups[areaOf(action)] : undefined;
  if (group !== undefined) return texts.word(group, value);
  return name === 'role' ? texts.word('role', value) : String(value);
}
