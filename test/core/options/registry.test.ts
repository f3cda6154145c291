import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  defaultOptions,
  isBuiltOption,
  isOptionKey,
  isSecretOption,
  type OptionValue,
  optionDefinition,
  optionKeys,
  panelPages,
  panelsOf,
} from '../../../src/core/options/index.ts';
import { defaultModelRatio } from '../../../src/core/pricing/defaults.ts';
import { findPrice } from '../../../src/core/pricing/find-price.ts';
import { buildPriceTables } from '../../../src/core/pricing/tables.ts';

/** Every key of New API (docs/rules/options.md#one-declaration). */
const newApiKeys =
  `PasswordLoginEnabled PasswordRegisterEnabled EmailVerificationEnabled RegisterEnabled GitHubOAuthEnabled
  GitHubClientId GitHubClientSecret oidc.enabled oidc.client_id oidc.client_secret oidc.well_known oidc.authorization_endpoint
  oidc.token_endpoint oidc.user_info_endpoint LinuxDOOAuthEnabled LinuxDOClientId LinuxDOClientSecret WeChatAuthEnabled
  WeChatServerAddress WeChatServerToken WeChatAccountQRCodeImageURL TelegramOAuthEnabled TelegramBotToken TelegramBotName
  TurnstileCheckEnabled TurnstileSiteKey TurnstileSecretKey EmailDomainRestrictionEnabled EmailAliasRestrictionEnabled
  EmailDomainWhitelist SMTPServer SMTPPort SMTPAccount SMTPFrom SMTPToken SMTPSSLEnabled ServerAddress WorkerUrl WorkerValidKey
  PayAddress EpayId EpayKey CustomCallbackAddress Price MinTopUp TopupGroupRatio WechatPay.MchID WechatPay.CertSerialNumber
  WechatPay.PrivateKey WechatPay.APIv3Key WechatPay.AppID WechatPay.NotifyUrl Notice SystemName Logo Footer About HomePageContent
  TopUpLink general_setting.docs_link QuotaPerUnit RetryTimes DisplayInCurrencyEnabled DisplayTokenStatEnabled
  DefaultCollapseSidebar DemoSiteEnabled SelfUseModeEnabled DrawingEnabled MjNotifyEnabled MjAccountFilterEnabled
  MjForwardUrlEnabled MjModeClearEnabled MjActionCheckSuccessEnabled CheckSensitiveEnabled CheckSensitiveOnPromptEnabled
  SensitiveWords QuotaForNewUser PreConsumedQuota QuotaForInviter QuotaForInvitee QuotaRemindThreshold ChannelDisableThreshold
  AutomaticDisableChannelEnabled AutomaticEnableChannelEnabled AutomaticDisableKeywords LogConsumeEnabled DataExportEnabled
  DataExportInterval DataExportDefaultTime ModelRequestRateLimitEnabled ModelRequestRateLimitCount
  ModelRequestRateLimitSuccessCount ModelRequestRateLimitDurationMinutes StreamCacheQueueLength
  global.pass_through_request_enabled claude.thinking_adapter_enabled claude.thinking_adapter_budget_tokens_percentage ModelRatio
  GroupRatio UserUsableGroups CompletionRatio ModelPrice CacheRatio Chats gemini.safety_settings gemini.version_settings
  claude.model_headers_settings claude.default_max_tokens`.split(/\s+/);

/** Keys that this gateway's console adds. */
const consoleKeys =
  `LinuxDOMinimumTrustLevel PhoneLoginEnabled PhoneSecondFactorEnabled RequireOriginalPassword sms.provider
  sms.webhook_url sms.sign_name sms.template_code sms.access_key_id sms.access_key_secret sms.webhook_secret sms.allowed_prefixes
  sms.daily_cap WechatPay.PublicKeyID WechatPay.PublicKey TopUpCodes TaskEnabled StopOnSensitiveEnabled GroupGroupRatio
  general_setting.ping_interval_enabled general_setting.ping_interval_seconds VideoRatios FileUploadPermission
  FileDownloadPermission ImageUploadPermission ImageDownloadPermission MessagePusherAddress MessagePusherToken`.split(
    /\s+/,
  );

describe('the registry', () => {
  it.each([...newApiKeys, ...consoleKeys])('knows %s', (key) => {
    expect(isOptionKey(key)).toBe(true);
  });

  it('does not know undeclared keys', () => {
    for (const key of ['', 'toString', '__proto__', 'systemname'])
      expect(isOptionKey(key)).toBe(false);
  });

  it('treats exactly the keys with a secret suffix as secret (docs/rules/options.md#secrets)', () => {
    for (const key of optionKeys) {
      const endsLikeSecret =
        /(token|secret|key|privatekey|password)$/.test(key.toLowerCase()) &&
        key !== 'TurnstileSiteKey';
      expect([key, isSecretOption(key)]).toEqual([key, endsLikeSecret]);
    }
  });

  it('reads *Enabled and DefaultCollapseSidebar as booleans (docs/rules/options.md#one-declaration)', () => {
    for (const key of optionKeys) {
      if (/Enabled$|\.enabled$|_enabled$/.test(key) || key === 'DefaultCollapseSidebar') {
        expect([key, optionDefinition(key).kind]).toEqual([key, 'boolean']);
      }
    }
  });

  it('has defaults that its own schemas accept unchanged', () => {
    for (const key of optionKeys) {
      const { schema, default: value } = optionDefinition(key);
      expect([key, schema.parse(value)]).toEqual([key, value]);
    }
  });

  it('names only options and panels that exist', () => {
    const panels = new Set(panelPages.flatMap(panelsOf));
    for (const key of optionKeys) {
      const { needs = [], panel } = optionDefinition(key);
      expect(panels.has(panel)).toBe(true);
      for (const other of needs)
        expect([key, other, isOptionKey(other)]).toEqual([key, other, true]);
    }
    for (const panel of panels)
      expect(optionKeys.some((key) => optionDefinition(key).panel === panel)).toBe(true);
  });

  it('has one option per status field', () => {
    const names = optionKeys.flatMap((key) => optionDefinition(key).status ?? []);
    expect(new Set(names).size).toBe(names.length);
  });

  it('never shows visitors a secret', () => {
    for (const key of optionKeys.filter(isSecretOption))
      expect(optionDefinition(key).status).toBeUndefined();
  });

  it('offers nothing that is not built', () => {
    const unbuilt = ['StopOnSensitiveEnabled', 'StreamCacheQueueLength'] as const;
    for (const key of unbuilt) expect(isBuiltOption(key)).toBe(false);
    for (const key of [
      'RetryTimes',
      'ModelRatio',
      'Notice',
      'SensitiveWords',
      'SMTPServer',
      'EpayKey',
      'sms.provider',
    ] as const)
      expect(isBuiltOption(key)).toBe(true);
  });
});

describe('values', () => {
  it('are typed by key', () => {
    expectTypeOf<OptionValue<'RetryTimes'>>().toEqualTypeOf<number>();
    expectTypeOf<OptionValue<'RegisterEnabled'>>().toEqualTypeOf<boolean>();
    expectTypeOf<OptionValue<'SensitiveWords'>>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<OptionValue<'DataExportDefaultTime'>>().toEqualTypeOf<'hour' | 'day' | 'week'>();
    expectTypeOf<OptionValue<'ModelRatio'>>().toExtend<Readonly<Record<string, number>>>();
  });

  it('feed the price tables', () => {
    const price = findPrice('gpt-4o', buildPriceTables(defaultOptions()));
    expect(price).toMatchObject({ kind: 'ratio', completionRatio: { digits: 4n, scale: 0 } });
  });

  it('are pinned at their defaults', () => {
    const defaults = defaultOptions();
    expect(defaults.ModelRatio).toBe(defaultModelRatio);
    // Those of the prices have tests of their own.
    const prices =
      /^(?:Model(?:Ratio|Price)|(?:Completion|Cache|CreateCache|Audio|AudioCompletion|Image)Ratio)$/;
    const others = Object.entries(defaults).filter(([key]) => !prices.test(key));
    expect(Object.fromEntries(others)).toMatchSnapshot();
  });
});
