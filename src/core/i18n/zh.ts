import { channelRules, notices } from './zh/channel-words.ts';
import { accountWords } from './zh/errors/accounts.ts';
import { processWords } from './zh/errors/process.ts';
import { requestWords } from './zh/errors/requests.ts';
import { siteWords } from './zh/errors/site.ts';
import { fileWords } from './zh/file-words.ts';
import { mails } from './zh/mail-words.ts';
import { optionTexts } from './zh/option-texts.ts';
import { vocabulary } from './zh/vocabulary.ts';
import { logs, overwriting, replies, rules } from './zh/words.ts';

const merge = () => ({
  ...requestWords,
  ...accountWords,
  ...siteWords,
  ...processWords,
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
});

export type MessageKey = keyof ReturnType<typeof merge>;

let merged: ReturnType<typeof merge> | undefined;

/**
 * Texts shared by the API, the console and the command line. Chinese is the default; its keys
 * define the type. Put together when first read: commands seldom need any.
 */
export function zh(): Readonly<Record<MessageKey, string>> {
  merged ??= merge();
  return merged;
}
