import type * as zh from '../zh/channel-words.ts';

export const channelRules = {
  'rule.missing': 'is missing',
  'rule.text': 'must be a text',
  'rule.path': 'is not a path like messages.0.content',
  'rule.pattern': 'is not a valid regular expression (RE2 syntax: no backreferences)',
  'rule.header': 'is not a header that may be set or passed on',
  'rule.headerValue': "is not a value for a header (callers' credentials are not passed on)",
  'rule.errorStatus': 'must be about error statuses: 300 to 599 mapped to 400 to 599',
  'rule.proxy': 'must be an http, https or socks5 address',
} satisfies Record<keyof typeof zh.channelRules, string>;

export const notices = {
  'notice.channel_disabled': 'Channel “{name}” (#{id}) was switched off',
  'notice.channel_enabled': 'Channel “{name}” (#{id}) was switched on again',
  'notice.reason': '{title}. Reason: {reason}',
  'notice.test_finished': 'Channel test finished',
  'notice.test_finished.content': 'All channels have been tested',
  'reason.slow': 'answered in {time} s, more than the limit of {limit} s',
  'reason.balance': 'Insufficient balance',
} satisfies Record<keyof typeof zh.notices, string>;
