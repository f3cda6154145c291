import { defineFields } from './field.ts';

/** One configured connection to an upstream. */
export const channelFields = defineFields({
  id: { kind: 'integer', generated: true },
  type: {
    kind: 'integer',
    default: 0,
    input: { required: true },
    help: { en: 'Type, by number or slug', zh: '类型，编号或代号' },
  },
  /** Never leaves the server: replies contain an empty text. On creation, one key per line. */
  key: {
    kind: 'secret',
    input: { default: '' },
    help: {
      en: 'Provider key; --key-stdin keeps it out of the process list',
      zh: '密钥；用 --key-stdin 可避免出现在进程列表中',
    },
  },
  name: {
    kind: 'text',
    default: '',
    trim: true,
    limits: { min: 1, max: 255, error: 'name_too_long', empty: 'channel_name_and_key_required' },
    input: {},
    help: { en: 'Name', zh: '名称' },
  },
  status: { kind: 'integer', default: 1 },
  models: {
    kind: 'list',
    separator: ',',
    default: '',
    input: { nullable: true },
    help: { en: 'Models, comma-separated', zh: '模型，以逗号分隔' },
  },
  group: {
    kind: 'list',
    separator: ',',
    default: 'default',
    input: {},
    flag: 'groups',
    help: {
      en: 'Groups, comma-separated (default: default)',
      zh: '分组，以逗号分隔（默认 default）',
    },
  },
  base_url: {
    kind: 'text',
    default: '',
    input: { nullable: true },
    help: { en: "Base URL (default: the provider's own)", zh: '接口地址（默认为官方地址）' },
  },
  /** A further field that some types need: a region, an API version, … */
  other: {
    kind: 'text',
    default: '',
    input: { nullable: true },
    help: {
      en: 'Extra field of the type: region, API version, …',
      zh: '该类型的附加字段：区域、API 版本等',
    },
  },
  openai_organization: {
    kind: 'text',
    default: '',
    trim: true,
    header: true,
    input: { nullable: true },
    help: { en: 'OpenAI organization', zh: 'OpenAI 组织' },
  },
  test_model: {
    kind: 'text',
    default: '',
    input: { nullable: true },
    help: { en: 'Model for tests', zh: '测试用的模型' },
  },
  max_input_tokens: {
    kind: 'integer',
    default: 0,
    limits: { min: 0, error: 'invalid_parameter' },
    input: { nullable: true },
    help: { en: 'Longest prompt in tokens; 0 = no limit', zh: '最大输入 token 数；0 为不限' },
  },
  model_mapping: {
    kind: 'json',
    default: '',
    input: { nullable: true },
    help: { en: 'Model mapping', zh: '模型重定向' },
  },
  status_code_mapping: {
    kind: 'json',
    default: '',
    input: { nullable: true },
    help: { en: 'Status code mapping', zh: '状态码复写' },
  },
  priority: {
    kind: 'integer',
    default: 0,
    input: {},
    help: { en: 'Priority; higher values are tried first', zh: '优先级，数值大者优先' },
  },
  weight: {
    kind: 'integer',
    default: 0,
    limits: { min: 0, error: 'weight_invalid' },
    input: {},
    help: { en: 'Weight among channels of the same priority', zh: '同优先级内的权重' },
  },
  /** Whether the gateway may disable the channel automatically. */
  auto_ban: {
    kind: 'bit',
    default: true,
    input: {},
    help: { en: 'Allow the gateway to disable it automatically', zh: '允许网关自动停用' },
  },
  /** '' when untagged. */
  tag: {
    kind: 'text',
    default: '',
    trim: true,
    input: { nullable: true },
    help: { en: 'Tag', zh: '标签' },
  },
  setting: {
    kind: 'json',
    default: '',
    input: { nullable: true },
    help: { en: 'Other settings (proxy, …)', zh: '其他设置（代理等）' },
  },
  param_override: {
    kind: 'json',
    default: '',
    input: { nullable: true },
    help: { en: 'Parameter override', zh: '参数覆盖' },
  },
  /** What its upstream charges (docs/rules/channels.md#channel-cost). */
  cost: {
    kind: 'json',
    default: '',
    input: { nullable: true },
    help: { en: 'What the upstream charges, for margins', zh: '上游收费，用于计算毛利' },
  },
  other_info: { kind: 'json', default: '' },
  /** Duration of the last test in milliseconds. */
  response_time: { kind: 'integer', default: 0 },
  test_time: { kind: 'time', default: 0 },
  /** In the upstream's currency; not part of our accounting. */
  balance: { kind: 'decimal', default: 0 },
  balance_updated_time: { kind: 'time', default: 0 },
  /** Changed by the ledger only. */
  used_quota: { kind: 'quota', default: 0 },
  created_time: { kind: 'time', default: 0 },
});
