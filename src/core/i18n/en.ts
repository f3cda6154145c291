import { vendorOptionWords } from '../providers/option-words.ts';
import { channelRules, notices } from './en/channel-words.ts';
import { errors } from './en/errors.ts';
import { fileWords } from './en/file-words.ts';
import { loginOptionWords } from './en/option-words-login.ts';
import { siteOptionWords } from './en/option-words-site.ts';
import { logs, panels, replies, rules, vocabulary } from './en/words.ts';
import type { MessageKey } from './zh.ts';

export const en = {
  ...errors,
  ...siteOptionWords,
  ...loginOptionWords,
  ...vendorOptionWords.en,
  ...panels,
  ...vocabulary,
  ...rules,
  ...channelRules,
  ...fileWords,
  ...notices,
  ...logs,
  ...replies,
} satisfies Record<MessageKey, string>;
