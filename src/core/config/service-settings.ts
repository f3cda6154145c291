/** Background work, and addresses of the services that the gateway calls. */
import { flag, setting, text, whole } from './setting.ts';

export const serviceSettings = {
  smtpInsecure: setting({
    names: ['SMTP_INSECURE'],
    schema: flag,
    fallback: false,
    summary: 'Do not verify the certificate of the mail server',
  }),
  notifyLimitCount: setting({
    names: ['NOTIFY_LIMIT_COUNT'],
    schema: whole(1, 100),
    fallback: 2,
    summary: 'Notices of one kind per period',
  }),
  notificationLimitDurationMinute: setting({
    names: ['NOTIFICATION_LIMIT_DURATION_MINUTE'],
    schema: whole(1),
    fallback: 10,
    summary: 'Period of the notice limit in minutes',
  }),
  channelTestFrequency: setting({
    names: ['CHANNEL_TEST_FREQUENCY'],
    schema: whole(0),
    fallback: 0,
    summary: 'Minutes between tests of all channels; 0 = never',
  }),
  channelUpdateFrequency: setting({
    names: ['CHANNEL_UPDATE_FREQUENCY'],
    schema: whole(0),
    fallback: 0,
    summary: 'Minutes between balance queries of all channels; 0 = never',
  }),
  pollingInterval: setting({
    names: ['POLLING_INTERVAL'],
    schema: whole(0),
    fallback: 0,
    summary: 'Seconds between channels in tests and balance queries of all',
  }),
  azureDefaultApiVersion: setting({
    names: ['AZURE_DEFAULT_API_VERSION'],
    schema: text,
    fallback: '2025-04-01-preview',
    summary: 'api-version of Azure channels that set none',
  }),
  geminiVisionMaxImageNum: setting({
    names: ['GEMINI_VISION_MAX_IMAGE_NUM'],
    schema: whole(-1),
    fallback: 16,
    summary: 'Images per message to Gemini; -1 = no limit',
  }),
  cohereSafetySetting: setting({
    names: ['COHERE_SAFETY_SETTING'],
    schema: text,
    fallback: 'NONE',
    summary:
      "safety_mode of Cohere chats that set none (CONTEXTUAL, STRICT, OFF); NONE = Cohere's default",
  }),
  updateTask: setting({
    names: ['UPDATE_TASK'],
    schema: flag,
    fallback: true,
    summary: 'Look up the states of music, drawing and video tasks at their upstreams',
    allowed: 'true, false',
  }),
  taskTimeoutMinutes: setting({
    names: ['TASK_TIMEOUT_MINUTES'],
    schema: whole(0, 527_040),
    fallback: 1440,
    summary:
      'Minutes after which an unfinished music or video task fails and is refunded; 0 = never',
    allowed: '0-527040',
  }),
  wechatPayEndpoint: setting({
    names: ['WECHAT_PAY_ENDPOINT'],
    schema: text,
    fallback: 'https://api.mch.weixin.qq.com',
    summary: 'Address of the API of WeChat Pay',
  }),
  releaseUrl: setting({
    names: ['RELEASE_URL'],
    schema: text,
    fallback: '',
    summary:
      "Where the latest release is looked up: the address of a code host's `releases/latest`; empty = never",
  }),
  aliyunSmsEndpoint: setting({
    names: ['ALIYUN_SMS_ENDPOINT'],
    schema: text,
    fallback: 'https://dysmsapi.aliyuncs.com',
    summary: 'Address of the text message API of Alibaba Cloud',
  }),
  tencentSmsEndpoint: setting({
    names: ['TENCENT_SMS_ENDPOINT'],
    schema: text,
    fallback: 'https://sms.tencentcloudapi.com',
    summary: 'Address of the text message API of Tencent Cloud',
  }),
  turnstileEndpoint: setting({
    names: ['TURNSTILE_ENDPOINT'],
    schema: text,
    fallback: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    summary: 'Address where tokens of Turnstile are verified',
  }),
  githubEndpoint: setting({
    names: ['GITHUB_ENDPOINT'],
    schema: text,
    fallback: 'https://github.com',
    summary: 'Address of GitHub, or of a GitHub Enterprise Server',
  }),
  githubApiEndpoint: setting({
    names: ['GITHUB_API_ENDPOINT'],
    schema: text,
    fallback: 'https://api.github.com',
    summary: 'Address of the API of GitHub; https://HOST/api/v3 for a GitHub Enterprise Server',
  }),
  linuxDoAuthorizeEndpoint: setting({
    names: ['LINUX_DO_AUTHORIZE_ENDPOINT'],
    schema: text,
    fallback: 'https://connect.linux.do/oauth2/authorize',
    summary: 'Page of LinuxDO that asks for consent',
  }),
  linuxDoTokenEndpoint: setting({
    names: ['LINUX_DO_TOKEN_ENDPOINT'],
    schema: text,
    fallback: 'https://connect.linux.do/oauth2/token',
    summary: 'Address at which LinuxDO exchanges codes for tokens',
  }),
  linuxDoUserEndpoint: setting({
    names: ['LINUX_DO_USER_ENDPOINT'],
    schema: text,
    fallback: 'https://connect.linux.do/api/user',
    summary: 'Address of profiles at LinuxDO',
  }),
  difyDebug: setting({
    names: ['DIFY_DEBUG'],
    schema: flag,
    fallback: false,
    summary: 'Dify channels return the steps of a workflow as thinking',
  }),
} as const;
