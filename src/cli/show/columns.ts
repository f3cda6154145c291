/**
 * Columns of the entities in lists, cards and terminal screens. `width` is for screens; 0 hides a
 * column there.
 */
import type {
  AuditEntity,
  LedgerEntity,
  LogEntity,
  RedemptionEntity,
  TokenEntity,
  UserEntity,
} from '../../core/contract/entities.ts';
import { auditRestText, auditSentenceText } from '../../core/entities/audit-sentence.ts';
import type { AuditTexts } from '../../core/entities/audit-values.ts';
import { subjectText } from '../../core/entities/posting-subject.ts';
import { redemptionFields } from '../../core/entities/redemption.ts';
import { tokenFields } from '../../core/entities/token.ts';
import { userFields } from '../../core/entities/user.ts';
import { methodName } from '../../core/i18n/method-name.ts';
import { optionName } from '../../core/i18n/option-name.ts';
import { type LogMark, type LogView, readLog } from '../../core/logs/log-view.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { redemptionStateOf } from '../../core/vocabulary/redemption-state.ts';
import { effectiveTokenStatus, lastUseOf } from '../../core/vocabulary/token-state.ts';
import { effectiveUserStatus } from '../../core/vocabulary/user-state.ts';
import { localize, type Text } from '../base/text.ts';
import type { Tone } from '../kit/tones.ts';
import { entityColumns } from './entity-columns.ts';
import { labelFor, ledgerKindLabel, toneFor } from './labels.ts';
import type { Column, View } from './table.ts';
import { formatTime } from './times.ts';

const id: Text = { en: 'id', zh: '编号' };
const user: Text = { en: 'user', zh: '用户' };
const unlimited: Text = { en: 'unlimited', zh: '无限' };
const neverUsed: Text = { en: 'never', zh: '从未使用' };

export const userColumns = entityColumns<typeof userFields, UserEntity>(userFields, {
  id: { width: 4 },
  username: { narrow: 'elide' },
  display_name: { width: 12, expendable: 1, narrow: 'elide' },
  role: {
    value: (row, view) => labelFor('role', row.role, view.language),
    tone: (row) => toneFor('role', row.role),
    align: undefined,
    width: 12,
  },
  status: {
    value: (row, view) => labelFor('status.user', effectiveUserStatus(row), view.language),
    tone: (row) => toneFor('status.user', effectiveUserStatus(row)),
    align: undefined,
    width: 8,
  },
  group: { width: 8, expendable: 2 },
  quota: { width: 10 },
  used_quota: { width: 10, expendable: 3 },
  request_count: { value: (row) => formatCount(row.request_count), width: 0 },
  inviter_id: {
    value: (row) => (row.inviter_id === 0 ? '' : `#${row.inviter_id}`),
    cardOnly: true,
  },
});

type Keyed = Pick<TokenEntity, 'key' | 'unreadable'>;
const keyText = ({ key, unreadable }: Keyed, { language }: View): string =>
  unreadable ? localize(language, cannotDecrypt) : key;
const keyTone = ({ unreadable }: Keyed): Tone => (unreadable ? 'error' : 'plain');
const cannotDecrypt: Text = { en: 'cannot be decrypted', zh: '无法解密' };

type OwnedToken = TokenEntity & { readonly username?: string };

export const tokenColumns = entityColumns<typeof tokenFields, OwnedToken>(tokenFields, {
  id: { width: 4 },
  name: { narrow: 'elide' },
  user_id: { value: (row) => row.username ?? String(row.user_id), align: undefined, width: 10 },
  key: { value: keyText, tone: keyTone, width: 0 },
  status: {
    value: (row, view) =>
      labelFor('status.token', effectiveTokenStatus(row, view.now), view.language),
    tone: (row, view) => toneFor('status.token', effectiveTokenStatus(row, view.now)),
    align: undefined,
    width: 9,
  },
  remain_quota: {
    value: (row, view) =>
      row.unlimited_quota ? localize(view.language, unlimited) : view.money.total(row.remain_quota),
    width: 10,
  },
  used_quota: { width: 9 },
  group: { width: 8, expendable: 2 },
  expired_time: { width: 14, expendable: 1 },
  model_limits: {
    value: (row) => (row.model_limits_enabled ? row.model_limits : ''),
    cardOnly: true,
  },
  accessed_time: {
    value: (row, view) =>
      formatTime(lastUseOf(row), view.now) || localize(view.language, neverUsed),
    cardOnly: true,
  },
});

export const redemptionColumns = entityColumns<typeof redemptionFields, RedemptionEntity>(
  redemptionFields,
  {
    id: { width: 4 },
    name: {},
    key: { value: keyText, tone: keyTone, width: 0 },
    status: {
      value: (row, view) =>
        labelFor('status.redemption', redemptionStateOf(row, view.now), view.language),
      tone: (row, view) => toneFor('status.redemption', redemptionStateOf(row, view.now)),
      align: undefined,
      width: 8,
    },
    quota: { width: 10 },
    created_time: { width: 14, narrow: 'drop' },
    expired_time: { width: 0, narrow: 'drop' },
    redeemed_time: { width: 14, expendable: 1 },
    used_user_id: {
      value: (row) => (row.used_user_id === 0 ? '' : String(row.used_user_id)),
      width: 7,
      narrow: 'drop',
    },
  },
);

/** What the row says: the marks of a request, else its text. */
function noteOf({ isRequest, marks, note }: LogView, { language }: View): string {
  return isRequest ? marks.map((mark) => markTexts[mark][language]).join(', ') : note;
}
const markTexts: Readonly<Record<LogMark, Text>> = {
  test: { en: 'test', zh: '测试' },
  realtime: { en: 'realtime', zh: '实时' },
  counted: { en: 'counted', zh: '计数' },
};

/** A figure that only requests have. */
const ofRequest = (value: (log: LogView) => string) => (row: LogEntity) => {
  const log = readLog(row);
  return log.isRequest ? value(log) : '';
};

export const logColumns: readonly Column<LogEntity>[] = [
  { title: { en: 'time', zh: '时间' }, value: (row, view) => formatTime(row.created_at, view.now) },
  {
    title: { en: 'type', zh: '类型' },
    value: (row, view) => labelFor('logType', row.type, view.language),
    tone: (row) => toneFor('logType', row.type),
    narrow: 'drop',
  },
  { title: user, value: (row) => row.username, narrow: 'elide' },
  { title: { en: 'token', zh: '令牌' }, value: (row) => row.token_name, narrow: 'drop' },
  { title: { en: 'model', zh: '模型' }, value: (row) => row.model_name, narrow: 'elide' },
  {
    title: { en: 'channel', zh: '渠道' },
    value: (row) => (row.channel === 0 ? '' : row.channel_name || `#${row.channel}`),
    narrow: 'elide',
  },
  {
    title: { en: 'in', zh: '输入' },
    value: ofRequest(({ input }) => formatCount(input)),
    align: 'right',
  },
  {
    title: { en: 'out', zh: '输出' },
    value: ofRequest(({ entity }) => formatCount(entity.completion_tokens)),
    align: 'right',
  },
  {
    title: { en: 's', zh: '秒' },
    value: (row) => {
      const { isRequest, isError, secondsText } = readLog(row);
      return isRequest || isError ? secondsText : '';
    },
    align: 'right',
    narrow: 'drop',
  },
  {
    title: { en: 'cost', zh: '费用' },
    value: (row, view) =>
      readLog(row).isRequest || row.quota !== 0 ? view.money.cost(row.quota) : '',
    align: 'right',
    tone: () => 'money',
  },
  {
    title: { en: 'note', zh: '说明' },
    value: (row, view) => noteOf(readLog(row), view),
    narrow: 'elide',
  },
];

export const ledgerColumns: readonly Column<LedgerEntity>[] = [
  { title: id, value: (row) => String(row.id), align: 'right', width: 6 },
  {
    title: { en: 'time', zh: '时间' },
    value: (row, view) => formatTime(row.created_at, view.now),
    width: 14,
  },
  { title: user, value: (row) => String(row.user_id), align: 'right', width: 5 },
  {
    title: { en: 'token', zh: '令牌' },
    value: (row) => (row.token_id === null ? '' : String(row.token_id)),
    align: 'right',
    width: 6,
    expendable: 2,
  },
  {
    title: { en: 'kind', zh: '类别' },
    value: ({ kind }, { language }) => ledgerKindLabel(kind, language),
    width: 12,
  },
  {
    title: { en: 'amount', zh: '金额' },
    value: (row, view) => view.money.cost(row.amount),
    align: 'right',
    tone: (row) => (row.amount > 0 ? 'ok' : 'plain'),
    width: 11,
  },
  {
    title: { en: 'balance', zh: '余额' },
    value: (row, view) => view.money.cost(row.balance_after),
    align: 'right',
    width: 12,
  },
  {
    title: { en: 'details', zh: '说明' },
    value: (row, { language }) =>
      subjectText(row, language, (method) => methodName(language, method)),
  },
];

/** How an entry writes amounts, times and words: in the site's money and the reader's language. */
function auditTexts({ language, money, now }: View): AuditTexts {
  return {
    money: money.total,
    time: (seconds) => formatTime(seconds, now),
    word: (group, value) => labelFor(group, value, language),
    option: (key) => optionName(key, language),
  };
}

export const auditColumns: readonly Column<AuditEntity>[] = [
  {
    title: { en: 'time', zh: '时间' },
    value: (row, view) => formatTime(row.created_at, view.now),
    width: 14,
  },
  {
    title: { en: 'actor', zh: '操作人' },
    value: (row) =>
      row.actor_name === '' ? `#${row.actor_id}` : `${row.actor_name} #${row.actor_id}`,
    width: 10,
  },
  {
    title: { en: 'event', zh: '事件' },
    value: (row, view) => auditSentenceText(row, view.language, auditTexts(view)),
    width: 36,
  },
  {
    title: { en: 'change', zh: '修改' },
    value: (row, view) => auditRestText(row, view.language, auditTexts(view)),
    narrow: 'elide',
  },
  {
    title: { en: 'address', zh: '地址' },
    value: (row) => row.ip,
    narrow: 'drop',
    width: 12,
    expendable: 1,
  },
];
