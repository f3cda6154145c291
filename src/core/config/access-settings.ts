/** Secrets, the first sign-in, proxies and limits of requests. */
import { flag, list, setting, text, whole } from './setting.ts';

export const accessSettings = {
  sessionSecret: setting({
    names: ['SESSION_SECRET'],
    schema: text,
    fallback: '',
    summary: 'Pepper of stored codes',
    secret: true,
  }),
  cryptoSecret: setting({
    names: ['CRYPTO_SECRET'],
    schema: text,
    fallback: '',
    summary: 'Encrypts keys at rest',
    secret: true,
  }),
  setupToken: setting({
    names: ['SETUP_TOKEN'],
    schema: text,
    fallback: '',
    summary: 'Fixed one-time setup code',
    secret: true,
  }),
  initialRootToken: setting({
    names: ['INITIAL_ROOT_TOKEN'],
    schema: text,
    fallback: '',
    summary: "First setup: the super admin's sk- key",
    secret: true,
  }),
  initialRootAccessToken: setting({
    names: ['INITIAL_ROOT_ACCESS_TOKEN'],
    schema: text,
    fallback: '',
    summary: "First setup: the super admin's system access token",
    secret: true,
  }),
  generateDefaultToken: setting({
    names: ['GENERATE_DEFAULT_TOKEN'],
    schema: flag,
    fallback: false,
    summary: 'New accounts get a first token',
  }),

  trustedProxies: setting({
    names: ['TRUSTED_PROXIES'],
    schema: list,
    fallback: [],
    summary:
      'Addresses or ranges whose X-Forwarded-For is trusted; private means loopback and private ranges',
  }),
  cookieSecure: setting({
    names: ['COOKIE_SECURE'],
    schema: flag,
    fallback: false,
    summary: 'Always mark cookies as Secure',
  }),
  globalApiRateLimitEnable: setting({
    names: ['GLOBAL_API_RATE_LIMIT_ENABLE'],
    schema: flag,
    fallback: true,
    summary: 'Limit API calls',
  }),
  globalApiRateLimit: setting({
    names: ['GLOBAL_API_RATE_LIMIT'],
    schema: whole(1),
    fallback: 1800,
    summary: 'API calls per window and IP address',
  }),
  globalApiRateLimitDuration: setting({
    names: ['GLOBAL_API_RATE_LIMIT_DURATION'],
    schema: whole(1),
    fallback: 180,
    summary: 'Window in seconds',
  }),
  globalWebRateLimitEnable: setting({
    names: ['GLOBAL_WEB_RATE_LIMIT_ENABLE'],
    schema: flag,
    fallback: true,
    summary: 'Limit pages',
  }),
  globalWebRateLimit: setting({
    names: ['GLOBAL_WEB_RATE_LIMIT'],
    schema: whole(1),
    fallback: 600,
    summary: 'Pages per window and IP address',
  }),
  globalWebRateLimitDuration: setting({
    names: ['GLOBAL_WEB_RATE_LIMIT_DURATION'],
    schema: whole(1),
    fallback: 180,
    summary: 'Window in seconds',
  }),
  criticalRateLimitEnable: setting({
    names: ['CRITICAL_RATE_LIMIT_ENABLE'],
    schema: flag,
    fallback: true,
    summary: 'Limit sign-ins, redemptions and similar calls',
  }),
  criticalRateLimit: setting({
    names: ['CRITICAL_RATE_LIMIT'],
    schema: whole(1),
    fallback: 20,
    summary: 'Such calls per window and user, or IP address',
  }),
  criticalRateLimitDuration: setting({
    names: ['CRITICAL_RATE_LIMIT_DURATION'],
    schema: whole(1),
    fallback: 1200,
    summary: 'Window in seconds',
  }),
} as const;
