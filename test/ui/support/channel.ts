import type { ChannelEntity } from '../../../src/core/contract/entities.ts';

export const channel: ChannelEntity = {
  ...{
    id: 3,
    type: 1,
    key: '',
    name: 'primary',
    status: 1,
    models: 'gpt-4o,retired',
    group: 'default',
    base_url: '',
    other: '',
  },
  ...{
    openai_organization: '',
    test_model: '',
    max_input_tokens: 0,
    model_mapping: '',
    status_code_mapping: '',
  },
  ...{
    priority: 0,
    weight: 20,
    auto_ban: 1,
    tag: '',
    setting: '',
    param_override: '',
    cost: '',
    other_info: '',
    response_time: 0,
  },
  ...{ test_time: 0, balance: 0, balance_updated_time: 0, used_quota: 0, created_time: 1 },
};
