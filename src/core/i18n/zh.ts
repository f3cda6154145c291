import { vendorOptionWords } from '../providers/option-words.ts';
import { channelRules, notices } from './zh/channel-words.ts';
import { errors } from './zh/errors.ts';
import { fileWords } from './zh/file-words.ts';
import { loginOptionWords } from './zh/option-words-login.ts';
import { siteOptionWords } from './zh/option-words-site.ts';
import { logs, panels, replies, rules, vocabulary } from './zh/words.ts';

/** Texts shared by the API, the console and the command line. Chinese is the default; its keys define the type. */
export const zh = {
  ...errors,
  ...siteOptionWords,
  ...loginOptionWords,
  ...vendorOptionWords.zh,
  ...panels,
  ...vocabulary,
  ...rules,
  ...channelRules,
  ...fileWords,
  ...notices,
  ...logs,
  ...replies,
} as const;

export type MessageKey = keyof typeof zh;
