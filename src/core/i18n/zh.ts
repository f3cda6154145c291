import { channelRules, notices } from './zh/channel-words.ts';
import { errors } from './zh/errors.ts';
import { fileWords } from './zh/file-words.ts';
import { mails } from './zh/mail-words.ts';
import { optionTexts } from './zh/option-texts.ts';
import { vocabulary } from './zh/vocabulary.ts';
import { logs, overwriting, replies, rules } from './zh/words.ts';

/**
 * Texts shared by the API, the console and the command line. Chinese is the default; its keys
 * define the type.
 */
export const zh = {
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
} as const;

export type MessageKey = keyof typeof zh;
