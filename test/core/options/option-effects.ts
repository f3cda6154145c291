/**
 * For each option that has an effect in this release: a test that shows it, as `file > words of its
 * title`. The file is below `test`; it names the option, or its field of the server status.
 * option-effects.test.ts checks that every built option is here.
 */
import type { OptionKey } from '../../../src/core/options/index.ts';

const siteOptions = 'core/relay/entry/site-options.test.ts';
const drawing = 'core/relay/tasks/midjourney/switches.test.ts';
const prices =
  'core/pricing/oracle.test.ts > a charge, its log row and its explanation agree with the oracle';
const topUpPrice = 'core/payments/top-up-price.test.ts > the price of a top-up';
const wechatOrder =
  'server/payment-options.test.ts > WeChat Pay: merchant, app and where its notices go are in the order';
const wechatSigned =
  'server/payment-options.test.ts > WeChat Pay: requests are signed in the name of';
const mail = 'core/notices/mail.test.ts > has one recipient, the site as sender';
const limits = 'core/relay/admit/bad-input.test.ts > count all requests and successful ones';
const gemini = `${siteOptions} > gemini.version_settings and the budget share of -thinking reach the upstream`;
const texts = 'server/site-texts.test.ts > is what visitors read at';

const providers = 'e2e/sign-in-providers.long.test.ts';
const github = `${providers} > GitHub makes an account for the invited`;
const oidc = `${providers} > OIDC signs in, and what belongs to one account`;
const wechat = `${providers} > WeChat: the code of the official account`;
const telegram = `${providers} > Telegram is linked by its widget, then signs in`;
const linuxdo = `${providers} > providers that are off are not offered`;
const sms =
  'core/notices/sms.test.ts > takes a signed message, with a number and variables as it reads them';
const phones = 'core/accounts/phone.test.ts';
const humanCheck = 'server/phone-login.test.ts > serves five calls of the browser';

const losses = 'core/losses/losses.test.ts';
const seals = 'core/billing/noted-head.engines.test.ts > is sealed once an hour';

const modelSync = 'core/channels/model-sync.test.ts';

export const optionEffects: Readonly<Partial<Record<OptionKey, string>>> = {
  ServerAddress: 'core/accounts/mailed-codes.test.ts > links need the address of the site',
  SiteLanguage:
    'core/relay/entry/site-language.test.ts > the error for a caller that sends no Accept-Language',
  'general_setting.docs_link': 'ui/shell/site-options.test.tsx > is a link in the top bar',
  DefaultCollapseSidebar: 'ui/shell/site-options.test.tsx > the sidebar starts so',
  DemoSiteEnabled: 'server/guards.test.ts > a demo site can be looked at and not changed',
  SelfUseModeEnabled: 'e2e/registration.long.test.ts > is hidden while %s is %s',
  WorkerUrl: 'core/relay/files/file-worker.test.ts > the worker fetches the URL',
  WorkerValidKey: 'core/relay/files/file-worker.test.ts > the worker fetches the URL',

  QuotaPerUnit: 'core/pricing/show.test.ts > follows QuotaPerUnit',
  DisplayInCurrencyEnabled:
    'core/relay/lookups/account-figures.test.ts > quota where it shows no currency',
  DisplayTokenStatEnabled: 'core/relay/lookups/account-figures.test.ts > show the owner’s figures',
  QuotaForNewUser: 'core/accounts/users.test.ts > a new user: defaults, first quota as a posting',
  QuotaForInviter: 'core/accounts/users.test.ts > both get quota once, as postings',
  QuotaForInvitee: 'core/accounts/users.test.ts > both get quota once, as postings',

  QuotaRemindThreshold:
    'server/quota-warning.test.ts > a charge below the threshold is followed by one mail',
  PreConsumedQuota:
    'core/relay/charge/least-hold.test.ts > a short request holds the tokens of PreConsumedQuota',

  ModelPriceDetails:
    'core/pricing/details.test.ts > what an operator writes goes before the catalogue',
  ModelRatio: prices,
  ModelPrice: prices,
  CompletionRatio: prices,
  CacheRatio: prices,
  CreateCacheRatio: prices,
  AudioRatio: prices,
  AudioCompletionRatio: prices,
  ImageRatio: prices,
  VideoRatios: 'core/relay/tasks/video/prices.test.ts > VideoRatios make the price one per second',
  GroupRatio: prices,
  GroupGroupRatio: prices,
  DrawingEnabled: `${drawing} > are refused while drawing is switched off`,
  MjNotifyEnabled: `${drawing} > notifyHook goes to the proxy only`,
  MjAccountFilterEnabled: `${drawing} > accountFilter goes to the proxy only`,
  MjModeClearEnabled: `${drawing} > flags of speed are taken out of prompts`,
  MjForwardUrlEnabled: `${drawing} > addresses of images lead through the gateway`,
  MjActionCheckSuccessEnabled: `${drawing} > only finished tasks are continued`,
  UserUsableGroups: 'core/catalog/catalog.test.ts > groups: those with a ratio that are open',

  RetryTimes: 'core/relay/select/failover.test.ts > a failed probe costs no retry',
  ChannelDisableThreshold:
    'core/channels/channel-test.test.ts > slow is fine with the threshold off',
  AutomaticDisableChannelEnabled:
    'core/relay/channel-test/channel-test.test.ts > failing channels are disabled',
  AutomaticEnableChannelEnabled:
    'core/relay/channel-test/channel-test.test.ts > failing channels are disabled, working ones enabled again',
  'monitor_setting.auto_test_channel_enabled':
    'core/channels/channel-jobs.test.ts > run at the interval of the site’s options',
  'monitor_setting.auto_test_channel_minutes':
    'core/channels/channel-jobs.test.ts > run at the interval of the site’s options',
  AutomaticDisableKeywords: `${siteOptions} > an error with one of them is a fault of the channel`,
  'price_sync.followed':
    'core/price-sync/price-sync.test.ts > a month: a watched price is told once',
  'losses.balance_days': `${losses} > a month: a vendor gets dearer`,
  'losses.stop': `${losses} > or the model is taken off it`,
  'losses.stop_margin': `${losses} > stays unless the site says so`,
  LogConsumeEnabled: `${siteOptions} > requests are charged without a row in the usage log`,
  LogReportedUsage:
    'core/relay/charge/reported-usage.test.ts > the usage of a vendor is kept only while the option is on',
  ErrorLogEnabled:
    'core/relay/charge/outcomes.test.ts > with ErrorLogEnabled off requests are counted, and no row is written',
  AuditLogDays: 'core/logs/retention.test.ts > each kind is kept for its days',
  UsageLogDays: 'core/logs/retention.test.ts > each kind is kept for its days',
  ErrorLogDays: 'core/logs/retention.test.ts > each kind is kept for its days',
  TaskLogDays: 'core/logs/retention.test.ts > each kind is kept for its days',
  ArchiveOldRows: 'core/logs/retention.test.ts > rows are archived before they are deleted',
  TaskEnabled: 'e2e/task-logs.long.test.ts > what is switched off leaves the sidebar',
  DataExportEnabled: 'e2e/dashboard.long.test.ts > leaves the menu where nothing is added up',
  DataExportInterval:
    'ui/shell/site-options.test.tsx > an open dashboard asks again after so many minutes',
  DataExportDefaultTime: 'e2e/dashboard.long.test.ts > begins with the steps that the site says',

  ModelRequestRateLimitEnabled: limits,
  ModelRequestRateLimitCount: limits,
  ModelRequestRateLimitSuccessCount: `${siteOptions} > failed requests do not count`,
  ModelRequestRateLimitDurationMinutes: `${siteOptions} > the limits count over so many minutes`,

  'global.pass_through_request_enabled':
    'core/relay/body/multipart.test.ts > forwards a form unchanged where the site passes everything through',
  'global.stored_responses_days':
    'core/relay/stored-responses/continuing.test.ts > is not said to be stored where the site keeps no contents',
  'global.stored_responses_mb': `${siteOptions} > beyond it the contents of a response are not kept`,
  'model_sync.enabled': `${modelSync} > the daily look adopts what is new`,
  'model_sync.adopt': `${modelSync} > the daily look adopts what is new`,
  'model_sync.margin': `${modelSync} > sold only once it is adopted: list price, steps and margin`,
  'model_sync.address': `${modelSync} > is taken with the signature of the pinned key`,
  'model_sync.signer': `${modelSync} > is taken with the signature of the pinned key`,
  'model_sync.proxy': `${modelSync} > is read through the proxy that is set`,
  'model_sync.learned': `${modelSync} > a gateway that starts again knows what it learned`,
  'global.background_responses':
    'core/relay/background/background.test.ts > a user may have so many under way as the site allows',
  'global.thinking_minutes':
    'contract/conversion/thinking.test.ts > is not remembered where the site says so',
  'general_setting.ping_interval_enabled':
    'core/relay/entry/relay.test.ts > are kept open by comments after they have started',
  'general_setting.ping_interval_seconds':
    'core/relay/entry/relay.test.ts > are kept open by comments after they have started',
  'channel_affinity_setting.enabled':
    'core/relay/select/affinity-relay.test.ts > not at all when the option is off',
  'channel_affinity_setting.switch_on_success':
    'core/relay/select/affinity-relay.test.ts > returns to its channel when switching on success is off',
  'channel_affinity_setting.max_entries': `${siteOptions} > the oldest conversations are forgotten`,
  'channel_affinity_setting.default_ttl_seconds':
    'core/relay/select/affinity-relay.test.ts > is forgotten after its time',

  'gemini.safety_settings':
    'core/providers/gemini-requests.test.ts > set the safety thresholds of the option',
  'gemini.version_settings': gemini,
  'gemini.thinking_adapter_enabled':
    'core/providers/gemini-requests.test.ts > support the adapter’s suffixes where it is enabled',
  'gemini.thinking_adapter_budget_tokens_percentage': gemini,
  'claude.model_headers_settings':
    'core/providers/anthropic.test.ts > keeps version, betas and query',
  'claude.default_max_tokens': `${siteOptions} > by upstream model, then default`,
  'claude.thinking_adapter_enabled':
    'core/relay/shape/reasoning-suffixes.test.ts > the adapter can be switched off',
  'claude.thinking_adapter_budget_tokens_percentage':
    'core/providers/anthropic.test.ts > supports the suffix -thinking',

  CheckSensitiveEnabled: `${siteOptions} > sensitive words with`,
  CheckSensitiveOnPromptEnabled: `${siteOptions} > sensitive words with`,
  SensitiveWords: `${siteOptions} > a new list is in effect for the next request`,

  SystemName: 'ui/shell/site-options.test.tsx > are shown in place of the product’s',
  Logo: 'ui/shell/site-options.test.tsx > are shown in place of the product’s',
  Footer: 'server/site-texts.test.ts > Footer and SystemName are in the server status',
  Notice: texts,
  HomePageContent: texts,
  About: texts,
  ChatLink2:
    'ui/routes/chat-redirect/chat-client-link.test.ts > puts key and address into the settings of the client',
  Chats: 'ui/routes/token/chat-links.test.tsx > offers the presets as links to other windows',

  PasswordLoginEnabled:
    'core/accounts/sign-in.test.ts > not at all while password sign-in is switched off',
  PasswordRegisterEnabled: 'core/accounts/users.test.ts > closed by',
  RegisterEnabled: 'core/accounts/users.test.ts > closed by',
  RequireOriginalPassword:
    'core/accounts/users.test.ts > the current password is checked if given or required',
  EmailDomainRestrictionEnabled: 'core/accounts/mailed-codes.test.ts > email_domain_forbidden',
  EmailAliasRestrictionEnabled: 'core/accounts/mailed-codes.test.ts > email_alias_forbidden',
  EmailDomainWhitelist:
    'e2e/mailed-codes.long.test.ts > registers with the mailed code; wrong, used and missing codes and other addresses are refused',
  EmailVerificationEnabled:
    'core/accounts/mailed-codes.test.ts > the address is not stored while verification is off',

  SMTPServer: 'core/notices/mail.test.ts > needs a server and a sender',
  SMTPPort: 'core/notices/mail.test.ts > fails with a wrong password and with nobody there',
  SMTPAccount: mail,
  SMTPFrom: 'core/notices/mail.test.ts > from another address where that is set',
  SMTPToken: 'core/notices/mail.test.ts > fails with a wrong password',
  SMTPSSLEnabled: 'core/notices/mail.test.ts > from the first byte where the option says so',
  MessagePusherAddress:
    'core/notices/notify-root.test.ts > is the message pusher where the site has one',
  MessagePusherToken:
    'core/notices/notify-root.test.ts > is the message pusher where the site has one',

  Price: topUpPrice,
  TopUpLink: 'e2e/purchase.long.test.ts > that there is no link to buy codes',
  MinTopUp: topUpPrice,
  TopupGroupRatio: topUpPrice,
  TopUpCodes: topUpPrice,
  PayAddress: 'server/form-targets.test.ts > payment address %j: forms go to %s',
  CustomCallbackAddress:
    'server/payment-options.test.ts > Epay: EpayId and the callback address are in the order',
  EpayId: 'server/payment-options.test.ts > Epay: EpayId and the callback address are in the order',
  EpayKey: 'server/epay.test.ts > without its secrets Epay is off',
  'WechatPay.MchID': wechatOrder,
  'WechatPay.AppID': wechatOrder,
  'WechatPay.NotifyUrl': wechatOrder,
  'WechatPay.CertSerialNumber': wechatSigned,
  'WechatPay.PrivateKey':
    'server/wechat-pay.test.ts > without one of its secrets WeChat Pay is off',
  'WechatPay.APIv3Key': 'server/wechat-pay.test.ts > without one of its secrets WeChat Pay is off',
  'WechatPay.PublicKeyID':
    'server/payment-options.test.ts > replies are verified with WechatPay.PublicKey',
  'WechatPay.PublicKey':
    'server/payment-options.test.ts > replies are verified with WechatPay.PublicKey',

  GitHubOAuthEnabled: github,
  GitHubClientId: github,
  GitHubClientSecret: github,
  LinuxDOOAuthEnabled: linuxdo,
  LinuxDOClientId: linuxdo,
  LinuxDOClientSecret: linuxdo,
  LinuxDOMinimumTrustLevel: 'server/oauth.test.ts > LinuxDOMinimumTrustLevel: 2',
  'oidc.enabled': oidc,
  'oidc.client_id': oidc,
  'oidc.client_secret': oidc,
  'oidc.well_known': 'server/oidc.test.ts > discovery reads the addresses',
  'oidc.authorization_endpoint': oidc,
  'oidc.token_endpoint': oidc,
  'oidc.user_info_endpoint': oidc,
  TelegramOAuthEnabled: telegram,
  TelegramBotToken: telegram,
  TelegramBotName: telegram,
  WeChatAuthEnabled: wechat,
  WeChatServerAddress: wechat,
  WeChatServerToken: wechat,
  WeChatAccountQRCodeImageURL: wechat,
  PasskeyLoginEnabled: 'server/second-factor.test.ts > the login by passkey can be switched off',
  SecondFactorRequiredForAdmins:
    'server/second-factor.test.ts > may be required to have a second factor',
  PhoneLoginEnabled: `${phones} > is off with its option, for visitors and logins alike`,
  PhoneSecondFactorEnabled: `${phones} > is due for accounts with a phone while the option is on`,
  TurnstileCheckEnabled: humanCheck,
  TurnstileSiteKey: humanCheck,
  TurnstileSecretKey: humanCheck,
  'sms.allowed_prefixes': `${phones} > only those with an allowed country code get codes`,
  'sms.daily_cap': `${phones} > the daily cap of the site; 0 sends none`,
  'sms.provider': sms,
  'sms.sign_name': sms,
  'sms.template_code': sms,
  'sms.template_params': sms,
  'sms.access_key_id': sms,
  'sms.access_key_secret': sms,
  'sms.app_id': sms,
  'sms.region': sms,
  'sms.webhook_url': sms,
  'sms.webhook_secret': sms,
  'ledger.seal_url': seals,
  'ledger.seal_secret': seals,
};
