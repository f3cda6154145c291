import { describe, expect, it } from 'vitest';
import { translate } from '../../../src/core/i18n/translate.ts';
import { AppError, type ErrorParams } from '../../../src/core/kernel/errors.ts';
import { checkOptionChange } from '../../../src/core/options/check-change.ts';
import { parseOption, readOptionInput, writeOption } from '../../../src/core/options/codec.ts';
import { defaultOptions, type OptionKey, optionKeys } from '../../../src/core/options/registry.ts';
import { fc, runs } from '../../support/property.ts';

/** Code and params of the error that `act` throws. */
function refusal(act: () => unknown): { code: string; params: ErrorParams } {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, params: error.params };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the codec', () => {
  it.each(optionKeys)('round-trips %s', (key) => {
    const value = defaultOptions()[key];
    expect(parseOption(key, writeOption(key, value))).toEqual(value);
  });

  it.each<[OptionKey, string, unknown, string]>([
    ['RetryTimes', '3', 3, '3'],
    ['RetryTimes', ' 3.0 ', 3, '3'],
    ['Price', '7.25', 7.25, '7.25'],
    ['QuotaPerUnit', '500000.000000', 500_000, '500000'],
    ['RegisterEnabled', 'true', true, 'true'],
    ['RegisterEnabled', 'False', false, 'false'],
    ['SystemName', ' Toll ', ' Toll ', ' Toll '],
    ['ServerAddress', 'https://toll.example/', 'https://toll.example', 'https://toll.example'],
    ['ServerAddress', '', '', ''],
    [
      'oidc.token_endpoint',
      'https://id.example/token/',
      'https://id.example/token/',
      'https://id.example/token/',
    ],
    ['SensitiveWords', 'one\r\n\n  two  \none', ['one', 'two'], 'one\ntwo'],
    ['AutomaticDisableKeywords', 'Credit Balance', ['credit balance'], 'credit balance'],
    ['EmailDomainWhitelist', 'A.com, b.com,,a.com', ['a.com', 'b.com'], 'a.com,b.com'],
    ['ModelRatio', '{"m":0.1,"n":0}', { m: 0.1, n: 0 }, '{"m":0.1,"n":0}'],
    [
      'GroupGroupRatio',
      '{"vip":{"default":0.5}}',
      { vip: { default: 0.5 } },
      '{"vip":{"default":0.5}}',
    ],
    [
      'claude.default_max_tokens',
      '{"claude-x":4096}',
      { default: 8192, 'claude-x': 4096 },
      '{"default":8192,"claude-x":4096}',
    ],
    ['claude.default_max_tokens', '{"default":1}', { default: 1 }, '{"default":1}'],
    ['Chats', '[{"A":"ama://x?k={key}"}]', [{ A: 'ama://x?k={key}' }], '[{"A":"ama://x?k={key}"}]'],
    ['DataExportDefaultTime', 'week', 'week', 'week'],
    ['WechatPay.APIv3Key', '0'.repeat(32), '0'.repeat(32), '0'.repeat(32)],
    [
      'WechatPay.NotifyUrl',
      'https://toll.example/notify',
      'https://toll.example/notify',
      'https://toll.example/notify',
    ],
  ])('%s reads %j', (key, text, value, written) => {
    const read = parseOption(key, text);
    expect(read).toEqual(value);
    expect(writeOption(key, read)).toBe(written);
  });

  it.each<[OptionKey, string, ErrorParams]>([
    ['RetryTimes', '', { reason: 'rule.integer' }],
    ['RetryTimes', 'many', { reason: 'rule.integer' }],
    ['RetryTimes', '1.5', { reason: 'rule.integer' }],
    ['RetryTimes', '11', { reason: 'rule.max', max: 10 }],
    ['RetryTimes', '-1', { reason: 'rule.min', min: 0 }],
    ['QuotaForNewUser', '99999999999999999999', { reason: 'rule.integer' }],
    ['Price', '0', { reason: 'rule.above', min: 0 }],
    ['Price', 'Infinity', { reason: 'rule.decimal' }],
    ['Price', '1e999', { reason: 'rule.decimal' }],
    ['Price', '1e99', { reason: 'rule.max', max: 1_000_000 }],
    ['TopupGroupRatio', '{"vip":1e99}', { reason: 'rule.max', path: 'vip' }],
    ['VideoRatios', '{"m":{"720P":1e99}}', { reason: 'rule.max', path: 'm.720P' }],
    ['ModelPriceDetails', '{"m":{"tools":{"a":1e99}}}', { reason: 'rule.max', path: 'm.tools.a' }],
    ['claude.thinking_adapter_budget_tokens_percentage', '0.05', { reason: 'rule.min', min: 0.1 }],
    ['RegisterEnabled', '1', { reason: 'rule.boolean' }],
    ['DataExportDefaultTime', 'month', { reason: 'rule.choice' }],
    ['ServerAddress', 'toll.example', { reason: 'rule.url' }],
    ['ServerAddress', 'javascript:alert(1)', { reason: 'rule.url' }],
    ['TopUpLink', 'ftp://toll.example', { reason: 'rule.url' }],
    ['ModelRatio', '{"m":}', { reason: 'rule.json', line: 1, column: 6 }],
    [
      'ModelRatio',
      '{\n  "gpt-4o": 1,\n  "gpt-4": 15,\n}',
      { reason: 'rule.json', line: 4, column: 1 },
    ],
    ['ModelRatio', '', { reason: 'rule.json', line: 1, column: 1 }],
    ['ModelRatio', '{"gpt-3.5":-0.5}', { reason: 'rule.notNegative', path: 'gpt-3.5' }],
    ['ModelPrice', '{"m":1000001}', { reason: 'rule.max', path: 'm', max: 1_000_000 }],
    ['ModelRatio', '[]', { reason: 'rule.shape' }],
    ['ModelRatio', 'null', { reason: 'rule.shape' }],
    ['ModelRatio', '{"m":"1"}', { reason: 'rule.decimal', path: 'm' }],
    ['ModelRatio', '{"m":1e999}', { reason: 'rule.decimal', path: 'm' }],
    ['GroupRatio', '{"vip":-1}', { reason: 'rule.notNegative', path: 'vip' }],
    [
      'GroupGroupRatio',
      '{"vip":{"default":-1}}',
      { reason: 'rule.notNegative', path: 'vip.default' },
    ],
    ['TopupGroupRatio', '{"vip":0}', { reason: 'rule.positive', path: 'vip' }],
    ['TopUpCodes', '{"HALF":1.5}', { reason: 'rule.discount', path: 'HALF' }],
    ['Chats', '[{"A":"javascript:alert({key})"}]', { reason: 'rule.chatLink', path: '0.A' }],
    ['Chats', '[{"A":" java\\tscript:alert(1)"}]', { reason: 'rule.chatLink', path: '0.A' }],
    ['Chats', '[{"A":"data:text/html,x"}]', { reason: 'rule.chatLink', path: '0.A' }],
    ['Chats', '[{"A":"https://a/","B":"https://b/"}]', { reason: 'rule.shape' }],
    ['Notice', 'x'.repeat(1024 * 1024 + 1), { reason: 'rule.tooLong' }],
    ['ModelRatio', ' '.repeat(4 * 1024 * 1024 + 1), { reason: 'rule.tooLong' }],
    ['WechatPay.APIv3Key', 'short', { reason: 'rule.bytes32' }],
    ['WechatPay.PrivateKey', '<key>', { reason: 'rule.privateKey' }],
    ['WechatPay.NotifyUrl', 'https://toll.example/notify?a=1', { reason: 'rule.https' }],
    ['WechatPay.NotifyUrl', 'http://toll.example/notify', { reason: 'rule.https' }],
    ['sms.allowed_prefixes', '+86,86', { reason: 'rule.prefix', path: '1' }],
  ])('%s refuses %.40j', (key, text, params) => {
    expect(refusal(() => parseOption(key, text))).toMatchObject({
      code: 'option_invalid',
      params: { key, ...params },
    });
  });

  it('throws only option_invalid, and writes the same text that it read', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...optionKeys),
        fc.oneof(fc.string(), fc.json(), fc.double().map(String)),
        (key, text) => {
          let value: ReturnType<typeof parseOption<typeof key>>;
          try {
            value = parseOption(key, text);
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
            return;
          }
          const written = writeOption(key, value);
          expect(writeOption(key, parseOption(key, written))).toBe(written);
        },
      ),
      runs(2000),
    );
  });
});

describe('the input of clients', () => {
  it('numbers and booleans count as their text', () => {
    expect(readOptionInput('RetryTimes', 2)).toEqual({
      key: 'RetryTimes',
      change: 'set',
      value: 2,
    });
    expect(readOptionInput('RegisterEnabled', false)).toEqual({
      key: 'RegisterEnabled',
      change: 'set',
      value: false,
    });
  });

  it('an empty secret keeps the stored one, a dash clears it', () => {
    expect(readOptionInput('SMTPToken', '')).toEqual({ key: 'SMTPToken', change: 'keep' });
    expect(readOptionInput('SMTPToken', '-')).toEqual({
      key: 'SMTPToken',
      change: 'set',
      value: '',
    });
    expect(readOptionInput('RequireOriginalPassword', '-')).toEqual({
      key: 'RequireOriginalPassword',
      change: 'set',
      value: false,
    });
    expect(readOptionInput('SMTPToken', 's3cret')).toEqual({
      key: 'SMTPToken',
      change: 'set',
      value: 's3cret',
    });
    expect(readOptionInput('Notice', '')).toEqual({ key: 'Notice', change: 'set', value: '' });
  });

  it('an unknown key is refused', () => {
    expect(refusal(() => readOptionInput('Theme', 'dark'))).toEqual({
      code: 'option_unknown',
      params: { key: 'Theme' },
    });
  });
});

describe('checkOptionChange', () => {
  const current = defaultOptions();

  it('requires the options that a switch needs', () => {
    expect(checkOptionChange('GitHubOAuthEnabled', true, current)).toMatchObject({
      code: 'option_needs',
      params: { key: 'GitHubOAuthEnabled', needs: 'GitHubClientId' },
    });
    const id = { ...current, GitHubClientId: 'id' };
    expect(checkOptionChange('GitHubOAuthEnabled', true, id)?.params.needs).toBe(
      'GitHubClientSecret',
    );
    expect(
      checkOptionChange('GitHubOAuthEnabled', true, { ...id, GitHubClientSecret: 's' }),
    ).toBeUndefined();
    expect(checkOptionChange('GitHubOAuthEnabled', false, current)).toBeUndefined();
  });

  it('keeps what an enabled option needs', () => {
    const enabled = { ...current, GitHubOAuthEnabled: true, GitHubClientId: 'id' };
    expect(checkOptionChange('GitHubClientSecret', '', enabled)).toMatchObject({
      code: 'option_in_use',
      params: { key: 'GitHubClientSecret', by: 'GitHubOAuthEnabled' },
    });
    expect(
      checkOptionChange('GitHubClientSecret', '', { ...enabled, GitHubOAuthEnabled: false }),
    ).toBeUndefined();
    expect(
      checkOptionChange('ServerAddress', '', { ...current, PayAddress: 'https://pay.example' })
        ?.params.by,
    ).toBe('PayAddress');
  });

  it('says in words what is missing', () => {
    const error = checkOptionChange('GitHubOAuthEnabled', true, current);
    expect(translate('en', 'error.option_needs', error?.params)).toBe(
      'Fill in “GitHub client ID” (GitHubClientId) first',
    );
    expect(translate('zh', 'error.option_needs', error?.params)).toBe(
      '请先填写“GitHub Client ID”（GitHubClientId）',
    );
  });

  it('names the first missing option', () => {
    const half = { ...current, TurnstileSiteKey: 'site' };
    expect(checkOptionChange('TurnstileCheckEnabled', true, half)?.params.needs).toBe(
      'TurnstileSecretKey',
    );
  });

  it('requires the server address for payments', () => {
    expect(checkOptionChange('PayAddress', 'https://pay.example', current)?.params.needs).toBe(
      'ServerAddress',
    );
    expect(checkOptionChange('PayAddress', '', current)).toBeUndefined();
  });

  it('counts an empty list as missing', () => {
    expect(checkOptionChange('EmailDomainRestrictionEnabled', true, current)).toBeUndefined();
    const none = { ...current, EmailDomainWhitelist: [] };
    expect(checkOptionChange('EmailDomainRestrictionEnabled', true, none)?.code).toBe(
      'option_needs',
    );
  });
});
