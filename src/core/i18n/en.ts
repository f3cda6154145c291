import { channelRules, notices } from './en/channel-words.ts';
import { accountWords } from './en/errors/accounts.ts';
import { processWords } from './en/errors/process.ts';
import { requestWords } from './en/errors/requests.ts';
import { siteWords } from './en/errors/site.ts';
import { fileWords } from './en/file-words.ts';
import { mails } from './en/mail-words.ts';
import { optionTexts } from './en/option-texts.ts';
import { vocabulary } from './en/vocabulary.ts';
import { logs, overwriting, replies, rules } from './en/words.ts';
import type { MessageKey } from './zh.ts';

const merge = () =>
  ({
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
  }) satisfies Record<MessageKey, string>;

let merged: ReturnType<typeof merge> | undefined;

/** As zh.ts. */
export function en(): Readonly<Record<MessageKey, string>> {
  merged ??= merge();
  return merged;
}
