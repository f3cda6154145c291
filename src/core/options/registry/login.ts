import {
  addressOption,
  booleanOption,
  integerOption,
  listOption,
  secretOption,
  textOption,
} from '../define.ts';

const login = { panel: 'system.login' } as const;
const github = { panel: 'system.github' } as const;
const linuxdo = { panel: 'system.linuxdo' } as const;
const oidc = { panel: 'system.oidc' } as const;
const telegram = { panel: 'system.telegram' } as const;
const wechat = { panel: 'system.wechat' } as const;
const turnstile = { panel: 'system.turnstile' } as const;

/** Sign-in methods. */
export const loginOptions = {
  PasswordLoginEnabled: booleanOption({ ...login, default: true, status: 'password_login' }),
  PasswordRegisterEnabled: booleanOption({ ...login, default: true, status: 'password_register' }),
  RegisterEnabled: booleanOption({ ...login, default: true, status: 'register_enabled' }),
  /**
   * Its name matches the rule for secret keys (docs/rules/options.md#secrets), so it can be written
   * and takes effect but is never returned.
   */
  RequireOriginalPassword: booleanOption({ ...login, default: false, exposure: 'secret' }),

  PasskeyLoginEnabled: booleanOption({ ...login, default: true, status: 'passkey_login' }),
  /** docs/rules/accounts.md#second-factor-of-administrators */
  SecondFactorRequiredForAdmins: booleanOption({ ...login, default: false }),

  GitHubOAuthEnabled: booleanOption({
    ...github,
    default: false,
    status: 'github_oauth',
    needs: ['GitHubClientId', 'GitHubClientSecret'],
  }),
  GitHubClientId: textOption({ ...github, default: '', status: 'github_client_id' }),
  GitHubClientSecret: secretOption(github),

  LinuxDOOAuthEnabled: booleanOption({
    ...linuxdo,
    default: false,
    status: 'linuxdo_oauth',
    needs: ['LinuxDOClientId', 'LinuxDOClientSecret'],
  }),
  LinuxDOClientId: textOption({ ...linuxdo, default: '', status: 'linuxdo_client_id' }),
  LinuxDOClientSecret: secretOption(linuxdo),
  LinuxDOMinimumTrustLevel: integerOption({
    ...linuxdo,
    default: 0,
    bounds: { min: 0, max: 4 },
    status: 'linuxdo_minimum_trust_level',
  }),

  'oidc.enabled': booleanOption({
    ...oidc,
    default: false,
    status: 'oidc_enabled',
    needs: [
      'oidc.client_id',
      'oidc.client_secret',
      'oidc.authorization_endpoint',
      'oidc.token_endpoint',
      'oidc.user_info_endpoint',
    ],
  }),
  'oidc.client_id': textOption({ ...oidc, default: '', status: 'oidc_client_id' }),
  'oidc.client_secret': secretOption(oidc),
  'oidc.well_known': addressOption({ ...oidc, default: '', strip: false }),
  'oidc.authorization_endpoint': addressOption({
    ...oidc,
    default: '',
    strip: false,
    status: 'oidc_authorization_endpoint',
  }),
  'oidc.token_endpoint': addressOption({ ...oidc, default: '', strip: false }),
  'oidc.user_info_endpoint': addressOption({ ...oidc, default: '', strip: false }),

  TelegramOAuthEnabled: booleanOption({
    ...telegram,
    default: false,
    status: 'telegram_oauth',
    needs: ['TelegramBotToken', 'TelegramBotName'],
  }),
  TelegramBotToken: secretOption(telegram),
  TelegramBotName: textOption({ ...telegram, default: '', status: 'telegram_bot_name' }),

  WeChatAuthEnabled: booleanOption({
    ...wechat,
    default: false,
    status: 'wechat_login',
    needs: ['WeChatServerAddress', 'WeChatServerToken'],
  }),
  WeChatServerAddress: addressOption({ ...wechat, default: '' }),
  WeChatServerToken: secretOption(wechat),
  WeChatAccountQRCodeImageURL: addressOption({ ...wechat, default: '', status: 'wechat_qrcode' }),

  TurnstileCheckEnabled: booleanOption({
    ...turnstile,
    default: false,
    status: 'turnstile_check',
    needs: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  }),
  TurnstileSiteKey: textOption({ ...turnstile, default: '', status: 'turnstile_site_key' }),
  TurnstileSecretKey: secretOption(turnstile),

  EmailDomainRestrictionEnabled: booleanOption({
    panel: 'system.email-domains',
    default: false,
    needs: ['EmailDomainWhitelist'],
  }),
  EmailAliasRestrictionEnabled: booleanOption({ panel: 'system.email-domains', default: false }),
  EmailDomainWhitelist: listOption({
    panel: 'system.email-domains',
    separator: ',',
    lowerCase: true,
    default: [
      'gmail.com',
      '163.com',
      '126.com',
      'qq.com',
      'outlook.com',
      'hotmail.com',
      'icloud.com',
      'yahoo.com',
      'foxmail.com',
    ],
  }),
};
