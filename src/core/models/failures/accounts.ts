import { type KnownFailure, seen } from './known-failure.ts';

/**
 * What vendors write when the account behind a key cannot be used, besides those that have a status of their
 * own, or a code that the vendor's reader knows.
 */
export const accounts: readonly KnownFailure[] = [
  {
    about: 'account',
    words: [['credit balance is too low'], ['organization has been disabled']],
    source: 'https://platform.claude.com/docs/en/api/errors',
    seen,
  },
  {
    about: 'account',
    words: [['reached your specified api usage limits']],
    source: 'https://github.com/anthropics/claude-code/issues/2127',
    seen,
  },
  {
    about: 'account',
    vendor: 'xai',
    words: [['incorrect api key provided']],
    source: 'https://github.com/openai/codex/issues/1352',
    seen,
  },
  {
    about: 'account',
    words: [['used all available credits']],
    source: 'https://github.com/continuedev/continue/issues/10373',
    seen,
  },
  {
    about: 'account',
    codes: ['organization_restricted'],
    source: 'https://github.com/songquanpeng/one-api/issues/1764',
    seen,
  },
  {
    about: 'account',
    words: [['api key not found'], ['api key expired'], ['api key was reported as leaked']],
    source: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    seen,
  },
  {
    about: 'account',
    words: [['insufficient balance']],
    source: 'https://api-docs.deepseek.com/quick_start/error_codes',
    seen,
  },
  {
    about: 'account',
    codes: ['insufficient_user_quota'],
    source: 'https://github.com/songquanpeng/one-api/blob/main/monitor/manage.go',
    seen,
  },
];
