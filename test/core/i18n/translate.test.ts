import { describe, expect, it } from 'vitest';
import { isMessageKey, pickLanguage, translate } from '../../../src/core/i18n/translate.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { parseOption } from '../../../src/core/options/codec.ts';

describe('translate', () => {
  it('fills parameters in', () => {
    expect(translate('en', 'log.quota_changed', { from: '$1', to: '$2' })).toBe(
      'An administrator changed the quota from $1 to $2',
    );
    expect(translate('zh', 'log.quota_changed', { from: '1', to: '2' })).toBe(
      '管理员将额度从 1 改为 2',
    );
  });

  it('omits optional parts without parameters', () => {
    expect(translate('en', 'error.rate_limited')).toBe('Too many requests');
    expect(translate('en', 'error.rate_limited', { seconds: 0 })).toBe(
      'Too many requests; try again in 0 seconds',
    );
    expect(translate('en', 'error.no_channel', { model: 'm', group: '' })).toBe(
      'No channel is available for m',
    );
    expect(translate('zh', 'error.no_channel', { model: 'm', group: 'vip' })).toBe(
      '分组 vip 下没有可用的渠道：m',
    );
    expect(translate('zh', 'error.group_unknown')).toBe('分组不存在');
  });

  it('leaves brackets without a parameter as they are', () => {
    expect(translate('en', 'option.ModelPriceDetails.hint')).toContain(
      '[{"above":272000,"input":2}]',
    );
  });

  it('inserts parameters literally', () => {
    expect(translate('en', 'error.model_not_found', { model: '{model} [x] $1 $&' })).toBe(
      'The model {model} [x] $1 $& does not exist',
    );
    expect(translate('en', 'error.model_not_found', { model: 'error.conflict' })).toBe(
      'The model error.conflict does not exist',
    );
  });

  it.each([
    [
      'RetryTimes',
      '11',
      'The option RetryTimes is invalid: must not be above 10',
      '设置项 RetryTimes 无效：不能大于 10',
    ],
    ['Price', '0', 'The option Price is invalid: must be above 0', '设置项 Price 无效：必须大于 0'],
    [
      'GroupRatio',
      '{"vip":-1}',
      'The option GroupRatio is invalid: vip must not be negative',
      '设置项 GroupRatio 无效：vip 不能为负数',
    ],
    [
      'ModelRatio',
      '{',
      'The option ModelRatio is invalid: is not a valid JSON string (line 1, column 2)',
      '设置项 ModelRatio 无效：不是有效的 JSON 字符串（第 1 行第 2 列）',
    ],
  ] as const)('spells out why %s refuses %s', (key, text, english, chinese) => {
    try {
      parseOption(key, text);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(translate('en', `error.${error.code}`, error.params)).toBe(english);
      expect(translate('zh', `error.${error.code}`, error.params)).toBe(chinese);
    }
  });

  it('knows its keys', () => {
    expect(isMessageKey('role.10')).toBe(true);
    expect(isMessageKey('toString')).toBe(false);
  });
});

describe('pickLanguage', () => {
  it.each([
    [undefined, 'zh'],
    ['', 'zh'],
    ['en', 'en'],
    ['en-US,en;q=0.9', 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['EN-gb', 'en'],
    ['fr-FR, en;q=0.5', 'en'],
    ['fr', 'zh'],
    ['*', 'zh'],
    ['zh;q=0.3, en;q=0.7', 'en'],
    ['en;q=0, zh;q=0.1', 'zh'],
    ['english', 'zh'],
    [';;q=,,', 'zh'],
  ])('%s → %s', (header, language) => {
    expect(pickLanguage(header, 'zh')).toBe(language);
  });

  it.each([undefined, '', 'fr', '*', 'en;q=0'])('%s → the site’s language', (header) => {
    expect(pickLanguage(header, 'en')).toBe('en');
  });
});
