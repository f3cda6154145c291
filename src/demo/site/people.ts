/** The people of the demo site, what they use and how they pay. */

export type Payment = 'redeems' | 'granted' | 'alipay' | 'wxpay';

export interface DemoToken {
  readonly name: string;
  /** Quota it may spend; absent: unlimited. */
  readonly remain_quota?: number;
  readonly model_limits?: string;
  readonly allow_ips?: string;
  readonly group?: string;
  /** Days after the start of the history when it expires. */
  readonly expiresAfterDays?: number;
  /** Disabled at the end. */
  readonly isDisabled?: boolean;
}

export interface DemoUser {
  readonly username: string;
  readonly display_name: string;
  readonly group: 'default' | 'vip' | 'research';
  readonly role?: number;
  /** When the account is made: 0 the start of the history, 1 now. */
  readonly joins: number;
  /** Relative number of calls. */
  readonly activity: number;
  /** Currency units at the start; 500,000 quota each. */
  readonly units: number;
  readonly pays: Payment;
  /** Model → weight. */
  readonly models: readonly (readonly [string, number])[];
  readonly tokens: readonly DemoToken[];
  /** Disabled at the end. */
  readonly isDisabled?: boolean;
}

const assistant = [
  ['gpt-5.4-mini', 5],
  ['gpt-5.6-sol', 2],
  ['gpt-6-luna', 2],
] as const;
const coding = [
  ['claude-sonnet-5-5', 6],
  ['claude-haiku-5-5', 3],
  ['gpt-6-sol', 1],
] as const;
const chinese = [
  ['deepseek-v4-flash', 5],
  ['qwen3.7-plus', 4],
  ['deepseek-v4-pro', 2],
] as const;
const research = [
  ['gemini-4-argon', 3],
  ['gemini-3.8-flash', 5],
  ['mistral-large-latest', 2],
  ['gpt-5.6-sol', 2],
  ['text-embedding-3-small', 4],
] as const;

export const demoUsers: readonly DemoUser[] = [
  {
    username: 'marta',
    display_name: 'Marta Nowak',
    group: 'vip',
    role: 10,
    joins: 0,
    activity: 6,
    units: 80,
    pays: 'granted',
    models: coding,
    tokens: [{ name: 'claude code' }, { name: 'editor', model_limits: 'claude-haiku-5-5' }],
  },
  {
    username: 'jonas',
    display_name: 'Jonas Weber',
    group: 'vip',
    joins: 0,
    activity: 8,
    units: 60,
    pays: 'alipay',
    models: coding,
    tokens: [{ name: 'codex' }, { name: 'old laptop', isDisabled: true }],
  },
  {
    username: 'linwei',
    display_name: '林薇',
    group: 'default',
    joins: 0.02,
    activity: 7,
    units: 20,
    pays: 'redeems',
    models: chinese,
    tokens: [{ name: '客服机器人' }, { name: '测试', remain_quota: 100_000 }],
  },
  {
    username: 'zhangmin',
    display_name: '张敏',
    group: 'vip',
    joins: 0.05,
    activity: 4,
    units: 20,
    pays: 'wxpay',
    models: chinese,
    tokens: [{ name: '翻译' }],
  },
  {
    username: 'amelie',
    display_name: 'Amélie Laurent',
    group: 'research',
    joins: 0.08,
    activity: 5,
    units: 40,
    pays: 'granted',
    models: research,
    tokens: [
      { name: 'notebooks' },
      { name: 'nightly embeddings', model_limits: 'text-embedding-3-small' },
    ],
  },
  {
    username: 'oskar',
    display_name: 'Oskar Lindqvist',
    group: 'research',
    joins: 0.15,
    activity: 3,
    units: 30,
    pays: 'granted',
    models: research,
    tokens: [{ name: 'paper summaries', expiresAfterDays: 20 }, { name: 'lab' }],
  },
  {
    username: 'shop',
    display_name: 'Shop assistant',
    group: 'default',
    joins: 0.2,
    activity: 12,
    units: 30,
    pays: 'alipay',
    models: assistant,
    tokens: [
      { name: 'production', allow_ips: '127.0.0.0/8\n10.0.0.0/8' },
      { name: 'staging', remain_quota: 400_000 },
    ],
  },
  {
    username: 'priya',
    display_name: 'Priya Raman',
    group: 'default',
    joins: 0.3,
    activity: 3,
    units: 10,
    pays: 'redeems',
    models: [...assistant, ['gpt-image-2', 1]],
    tokens: [{ name: 'design drafts' }],
  },
  {
    username: 'tomas',
    display_name: 'Tomáš Dvořák',
    group: 'default',
    joins: 0.4,
    activity: 2,
    units: 0.003,
    pays: 'granted',
    models: assistant,
    tokens: [{ name: 'trial' }],
  },
  {
    username: 'chenhao',
    display_name: '陈浩',
    group: 'default',
    joins: 0.55,
    activity: 4,
    units: 10,
    pays: 'wxpay',
    models: [...chinese, ['gpt-5.4-mini', 2]],
    tokens: [{ name: 'wechat bot' }],
  },
  {
    username: 'guest42',
    display_name: 'guest42',
    group: 'default',
    joins: 0.6,
    activity: 2,
    units: 1,
    pays: 'granted',
    models: assistant,
    tokens: [{ name: 'key' }],
    isDisabled: true,
  },
  {
    username: 'noor',
    display_name: 'Noor Haddad',
    group: 'vip',
    joins: 0.75,
    activity: 5,
    units: 25,
    pays: 'redeems',
    models: [...coding, ...assistant],
    tokens: [{ name: 'gemini cli' }, { name: 'default group', group: 'default' }],
  },
];
