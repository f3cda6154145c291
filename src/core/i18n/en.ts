import { channelRules, notices } from './en/channel-words.ts';
import { errors } from './en/errors.ts';
import { fileWords } from './en/file-words.ts';
import { mails } from './en/mail-words.ts';
import { optionTexts } from './en/option-texts.ts';
import { vocabulary } from './en/vocabulary.ts';
import { logs, overwriting, replies, rules } from './en/words.ts';
import type { MessageKey } from './zh.ts';

export const en = {
  ...errors,
  ...optionTexts,
  ...vocabulary,
  ...rules,
  ...channelRules,
  ...fileWords,
  ...notices,
  ...logs,
  ...replies,
  ...overwriting,
  ...mails,
} satisfies Record<MessageKey, string>;
