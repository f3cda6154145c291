import { maxAmount } from '../kernel/quota.ts';
import {
  budgetEach,
  budgetEnds,
  budgetOwners,
  budgetPeriods,
  budgetWindowKinds,
} from '../vocabulary/budgets.ts';
import { tagPattern } from '../vocabulary/tags.ts';
import { defineFields } from './field.ts';

const oneOf = (words: readonly string[]) => new RegExp(`^(${words.join('|')})$`);
const error = 'budget_field_invalid';

/** How much may be spent in a period, and what happens then (docs/rules/budgets.md). */
export const budgetFields = defineFields({
  id: { kind: 'integer', generated: true, label: { en: 'id', zh: '编号' } },
  /** The user who made it. */
  user_id: { kind: 'integer', default: 0, label: { en: 'made by', zh: '创建人' } },
  name: {
    kind: 'text',
    default: '',
    trim: true,
    limits: { max: 50, error },
    input: {},
    label: { en: 'name', zh: '名称' },
    help: { en: 'Name of the budget', zh: '预算名称' },
  },
  owner: {
    kind: 'text',
    limits: { pattern: oneOf(budgetOwners), error },
    input: { required: true },
    label: { en: 'for', zh: '对象' },
    help: {
      en: 'Whose requests count: token, user or group; model: those of all to one model',
      zh: '计入谁的请求：token、user 或 group；model 为所有人对某个模型的请求',
    },
  },
  owner_id: {
    kind: 'text',
    trim: true,
    limits: { min: 1, max: 64, error },
    input: { required: true },
    label: { en: 'whose', zh: '对象编号' },
    help: {
      en: 'Id of the token or user, or name of the group or model',
      zh: '令牌或用户的编号，或分组、模型名称',
    },
  },
  each: {
    kind: 'text',
    default: '',
    limits: { pattern: oneOf(budgetEach), error },
    input: {},
    label: { en: 'each', zh: '分别计算' },
    help: {
      en: "What has the amount for itself: token, user, conversation or agent; '' for all together",
      zh: '按什么分别计算：token、user、conversation 或 agent；空值为合计',
    },
  },
  amount: {
    kind: 'quota',
    default: 0,
    limits: { min: 0, max: maxAmount, error: 'amount_limit' },
    input: { optional: true },
    label: { en: 'amount', zh: '额度' },
    help: {
      en: 'Quota that may be spent in a period; needed unless the period is none',
      zh: '每个周期可用的额度；周期不为 none 时必填',
    },
  },
  period: {
    kind: 'text',
    default: 'month',
    limits: { pattern: oneOf(budgetPeriods), error },
    input: {},
    label: { en: 'period', zh: '周期' },
    help: {
      en: 'hour, 5h, day, week, month or total; none: rates alone, without an amount',
      zh: 'hour、5h、day、week、month 或 total；none 表示没有额度，只限速率',
    },
  },
  window: {
    kind: 'text',
    default: 'calendar',
    limits: { pattern: oneOf(budgetWindowKinds), error },
    input: {},
    label: { en: 'window', zh: '窗口' },
    help: {
      en: 'calendar (in the time zone) or rolling (from the first use)',
      zh: 'calendar（按时区日历）或 rolling（自首次使用起）',
    },
  },
  time_zone: {
    kind: 'text',
    default: 'UTC',
    limits: { min: 1, max: 64, error },
    input: {},
    label: { en: 'time zone', zh: '时区' },
    help: {
      en: 'Time zone of days and hours, such as Europe/Berlin',
      zh: '日期和时间的时区，如 Asia/Shanghai',
    },
  },
  week_start: {
    kind: 'integer',
    default: 1,
    limits: { min: 1, max: 7, error },
    input: {},
    label: { en: 'week begins', zh: '每周起始' },
    help: {
      en: 'First day of the week: 1 (Monday) to 7 (Sunday)',
      zh: '每周第一天：1（周一）至 7（周日）',
    },
  },
  closed_days: {
    kind: 'list',
    separator: ',',
    default: '',
    limits: { pattern: /^([1-7](,[1-7])*)?$/, error },
    input: {},
    label: { en: 'closed days', zh: '停用日' },
    help: {
      en: 'Days on which nothing may be spent: 1 (Monday) to 7 (Sunday), comma-separated',
      zh: '不可消费的日子：1（周一）至 7（周日），以逗号分隔',
    },
  },
  closed_hours: {
    kind: 'list',
    separator: ',',
    default: '',
    limits: {
      pattern:
        /^((([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d)(,([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d)*)?$/,
      max: 120,
      error,
    },
    input: {},
    label: { en: 'closed hours', zh: '停用时段' },
    help: {
      en: 'Hours in which nothing may be spent, such as 22:00-06:00, comma-separated',
      zh: '不可消费的时段，如 22:00-06:00，以逗号分隔',
    },
  },
  models: {
    kind: 'list',
    separator: ',',
    default: '',
    limits: { max: 4000, error },
    input: {},
    label: { en: 'models', zh: '模型' },
    help: {
      en: "Only requests to these models count, comma-separated; '' for all",
      zh: '仅计入这些模型的请求，以逗号分隔；空值为全部',
    },
  },
  tag: {
    kind: 'text',
    default: '',
    trim: true,
    limits: { pattern: new RegExp(`^$|${tagPattern.source}`, 'u'), error },
    input: {},
    label: { en: 'tag', zh: '标签' },
    help: {
      en: "Only requests with this tag count; '' for all",
      zh: '仅计入带此标签的请求；空值为全部',
    },
  },
  carry_over: {
    kind: 'integer',
    default: 0,
    none: 0,
    limits: { min: 0, max: 100, error },
    input: {},
    label: { en: 'carried over', zh: '结转' },
    help: {
      en: 'Per cent of what is left that the next period has in addition (calendar only)',
      zh: '剩余额度结转到下一周期的百分比（仅日历窗口）',
    },
  },
  at_end: {
    kind: 'text',
    default: 'refuse',
    limits: { pattern: oneOf(budgetEnds), error },
    input: {},
    label: { en: 'at the end', zh: '用尽时' },
    help: { en: 'refuse, or warn only', zh: 'refuse（拒绝）或 warn（仅提醒）' },
  },
  thresholds: {
    kind: 'list',
    separator: ',',
    default: '80,100',
    limits: { pattern: /^([1-9]\d{0,2}(,[1-9]\d{0,2}){0,4})?$/, error },
    input: {},
    label: { en: 'warnings', zh: '提醒' },
    help: {
      en: 'Per cents at which the user gets a notice, comma-separated',
      zh: '提醒用户的百分比，以逗号分隔',
    },
  },
  most_requests: {
    kind: 'integer',
    default: 0,
    none: 0,
    limits: { min: 0, max: 1_000_000, error },
    input: {},
    label: { en: 'requests', zh: '请求数' },
    help: {
      en: 'Most requests of a conversation or agent in a window; 0: no limit',
      zh: '每个会话或智能体在一个窗口内的最多请求数；0 为不限',
    },
  },
  most_minutes: {
    kind: 'integer',
    default: 0,
    none: 0,
    limits: { min: 0, max: 1_000_000, error },
    input: {},
    label: { en: 'minutes', zh: '分钟数' },
    help: {
      en: 'Minutes for which a conversation or agent may go on; 0: no limit',
      zh: '每个会话或智能体最多持续的分钟数；0 为不限',
    },
  },
  most_repeats: {
    kind: 'integer',
    default: 0,
    none: 0,
    limits: { min: 0, max: 1000, error },
    input: {},
    label: { en: 'repetitions', zh: '重复次数' },
    help: {
      en: 'Times that a conversation or agent may do the same in a row; 0: no limit',
      zh: '每个会话或智能体连续重复同样操作的最多次数；0 为不限',
    },
  },
  most_pace: {
    kind: 'integer',
    default: 0,
    none: 0,
    limits: { min: 0, max: 1000, error },
    input: {},
    label: { en: 'pace', zh: '消费速度' },
    help: {
      en: 'Times the usual spending of its key that a conversation or agent may spend in ten minutes; 0: no limit',
      zh: '每个会话或智能体十分钟内的消费最多为该令牌平时的多少倍；0 为不限',
    },
  },
  requests_per_minute: {
    kind: 'integer',
    default: 0,
    none: 0,
    limits: { min: 0, max: 1_000_000, error },
    input: {},
    label: { en: 'requests/min', zh: '每分钟请求数' },
    help: {
      en: 'Requests that may begin in any minute; 0: no limit',
      zh: '任意一分钟内最多开始的请求数；0 为不限',
    },
  },
  tokens_per_minute: {
    kind: 'integer',
    default: 0,
    none: 0,
    limits: { min: 0, max: 1_000_000_000, error },
    input: {},
    label: { en: 'tokens/min', zh: '每分钟 token 数' },
    help: {
      en: 'Tokens of prompts and answers in any minute; 0: no limit',
      zh: '任意一分钟内提示与回答的最多 token 数；0 为不限',
    },
  },
  parallel_requests: {
    kind: 'integer',
    default: 0,
    none: 0,
    limits: { min: 0, max: 1_000_000, error },
    input: {},
    label: { en: 'at once', zh: '并发请求数' },
    help: {
      en: 'Requests under way at the same time; 0: no limit',
      zh: '同时进行的最多请求数；0 为不限',
    },
  },
  enabled: { kind: 'flag', default: true, input: {}, label: { en: 'enabled', zh: '启用' } },
  /** Goes up where windows begin anew, because something else is counted from now on. */
  revision: { kind: 'integer', default: 0, hidden: true },
  /** How often a window was given more. */
  grants: { kind: 'integer', default: 0, hidden: true },
  created_time: { kind: 'time', default: 0, label: { en: 'created', zh: '创建时间' } },
});
