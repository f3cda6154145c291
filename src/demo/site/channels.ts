/**
 * The channels of the demo site. All of them lead to the scripted upstream; `behaviour` says how
 * each one behaves.
 */
import type { BehaviourName } from '../upstream/behaviours.ts';

export interface DemoChannel {
  readonly name: string;
  readonly type: number;
  readonly behaviour: BehaviourName;
  readonly models: string;
  readonly group?: string;
  readonly priority?: number;
  readonly weight?: number;
  readonly tag?: string;
  readonly key?: string;
  readonly other?: string;
  readonly model_mapping?: string;
  readonly setting?: string;
  /** What the upstream charges; some channels do not name it. */
  readonly cost?: string;
  /** Added in the last quarter of the demo's history. */
  readonly isLate?: boolean;
  /** Disabled by an administrator at the end. */
  readonly isDisabled?: boolean;
}

export const demoChannels: readonly DemoChannel[] = [
  {
    name: 'OpenAI main',
    cost: JSON.stringify({ ratio: 0.5, base: 'list' }),
    type: 1,
    behaviour: 'steady',
    models: 'gpt-5.6-sol,gpt-5.4-mini,gpt-6-luna,gpt-6-sol,text-embedding-3-small,gpt-image-2',
    group: 'default,vip,research',
    priority: 10,
    weight: 30,
    tag: 'openai',
    key: 'demo-key-1\ndemo-key-2\ndemo-key-3',
    setting: JSON.stringify({ multi_key_mode: 'polling' }),
  },
  {
    name: 'OpenAI second account',
    cost: JSON.stringify({ ratio: 0.3, base: 'list' }),
    type: 1,
    behaviour: 'busy',
    models: 'gpt-5.6-sol,gpt-5.4-mini,text-embedding-3-small',
    group: 'default,vip',
    priority: 10,
    weight: 10,
    tag: 'openai',
  },
  {
    name: 'Azure Sweden',
    cost: JSON.stringify({ ratio: 0.9, base: 'list' }),
    type: 3,
    behaviour: 'slow',
    models: 'gpt-5.6-sol,gpt-5.4-mini',
    group: 'vip,research',
    priority: 5,
    weight: 10,
    other: '2025-04-01-preview',
    tag: 'azure',
  },
  {
    name: 'Claude',
    cost: JSON.stringify({ ratio: 0.55, base: 'list' }),
    type: 14,
    behaviour: 'busy',
    models: 'claude-sonnet-5-5,claude-haiku-5-5',
    group: 'default,vip,research',
    priority: 10,
    weight: 20,
    tag: 'anthropic',
  },
  {
    name: 'Claude over OpenRouter',
    type: 20,
    behaviour: 'steady',
    models: 'claude-sonnet-5-5,claude-haiku-5-5',
    group: 'vip,research',
    priority: 0,
    weight: 10,
    model_mapping: JSON.stringify({
      'claude-sonnet-5-5': 'anthropic/claude-sonnet-5.5',
      'claude-haiku-5-5': 'anthropic/claude-haiku-5.5',
    }),
  },
  {
    name: 'Gemini',
    cost: JSON.stringify({ ratio: 0.5, base: 'list' }),
    type: 24,
    behaviour: 'quick',
    models: 'gemini-3.8-flash,gemini-4-argon',
    group: 'default,vip,research',
  },
  {
    name: 'DeepSeek',
    cost: JSON.stringify({ ratio: 0.45, base: 'list' }),
    type: 43,
    behaviour: 'steady',
    models: 'deepseek-v4-flash,deepseek-v4-pro',
    group: 'default,vip',
  },
  { name: 'Qwen', type: 17, behaviour: 'quick', models: 'qwen3.7-plus', group: 'default,vip' },
  {
    name: 'Mistral',
    type: 42,
    behaviour: 'steady',
    models: 'mistral-large-latest',
    group: 'research',
  },
  {
    name: 'Reseller, cheap',
    type: 8,
    behaviour: 'shaky',
    models: 'gpt-5.4-mini,gpt-6-luna,deepseek-v4-flash',
    group: 'default',
    priority: 10,
    weight: 5,
    isLate: true,
  },
  {
    name: 'OpenAI, expired key',
    type: 1,
    behaviour: 'refused',
    models: 'gpt-5.6-sol',
    group: 'research',
    priority: 20,
    weight: 5,
    tag: 'openai',
    isLate: true,
  },
  {
    name: 'Ark, contract ended',
    type: 45,
    behaviour: 'slow',
    models: 'deepseek-v4-flash',
    group: 'vip',
    isDisabled: true,
  },
];
