/** Flags shared by many commands. */

import { languages } from '../../core/vocabulary/languages.ts';
import type { Flag } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import type { Command } from './command.ts';

/** Flags of every command. */
export const globalFlags: readonly Flag[] = [
  { name: 'json', kind: 'switch', variable: true, summary: { en: 'Print JSON', zh: '输出 JSON' } },
  {
    name: 'lang',
    kind: 'text',
    variable: true,
    placeholder: 'zh|en',
    choices: languages,
    summary: { en: 'Language', zh: '语言' },
  },
  {
    name: 'quiet',
    kind: 'switch',
    variable: true,
    summary: { en: 'Suppress notes on stderr', zh: '不输出提示信息' },
  },
  {
    name: 'yes',
    kind: 'switch',
    variable: true,
    summary: { en: 'Skip confirmation', zh: '跳过确认' },
  },
];

export const dataDirFlag: Flag = {
  name: 'data-dir',
  kind: 'text',
  variable: true,
  placeholder: 'DIR',
  summary: {
    en: "Data folder (default: the operating system's standard location)",
    zh: '数据目录（默认为操作系统的标准位置）',
  },
};

/** Flags that select the gateway (docs/rules/command-line.md#which-gateway). */
export const connectionFlags: readonly Flag[] = [
  {
    name: 'server',
    kind: 'text',
    variable: true,
    placeholder: 'URL',
    summary: { en: 'Address of a remote gateway', zh: '远程网关的地址' },
  },
  {
    name: 'access-token',
    kind: 'text',
    variable: true,
    placeholder: 'T',
    summary: { en: 'System access token for the remote gateway', zh: '远程网关的系统访问令牌' },
  },
  {
    name: 'profile',
    kind: 'text',
    variable: true,
    placeholder: 'NAME',
    summary: { en: 'Saved remote gateway', zh: '已保存的远程网关' },
  },
  dataDirFlag,
];

/** Flags of a command, including the shared ones. */
export function flagsOf(command: Command): readonly Flag[] {
  const own = new Set(command.flags.map((flag) => flag.name));
  const shared = command.local ? globalFlags : [...connectionFlags, ...globalFlags];
  return [...command.flags, ...shared.filter((flag) => !own.has(flag.name))];
}

const spans: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/**
 * Parses `2026-11-20`, `2026-11-20T19:04:52` (local time), an ISO time with zone, Unix seconds,
 * `now`, or a span such as `90m`, `12h`, `30d`, `2w`, to whole Unix seconds. Spans are in the past,
 * and with `ahead` in the future.
 */
export function readTime(flag: string, text: string, { ahead = false } = {}): number {
  if (/^\d{9,}$/.test(text)) return Number(text);
  const now = Math.floor(Date.now() / 1000);
  if (text === 'now') return now;
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) return now + (ahead ? 1 : -1) * Number(count) * (spans[unit] ?? 0);
  const local = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text.replace(' ', 'T');
  const time = Date.parse(local);
  if (Number.isNaN(time))
    throw new UsageError(ahead ? texts.timeAhead : texts.time, { flag, text });
  return Math.floor(time / 1000);
}

const texts = {
  time: {
    en: '--{flag} {text}: use 2026-11-20, 2026-11-20T19:04:52, Unix seconds, or a span back such as 90m, 12h, 30d',
    zh: '--{flag} {text}：请使用 2026-11-20、2026-11-20T19:04:52、Unix 秒数，或距今多久，如 90m、12h、30d',
  },
  timeAhead: {
    en: '--{flag} {text}: use 2026-11-20, 2026-11-20T19:04:52, Unix seconds, a span from now such as 12h, 30d, or never',
    zh: '--{flag} {text}：请使用 2026-11-20、2026-11-20T19:04:52、Unix 秒数、从现在起的时长如 12h、30d，或 never',
  },
} satisfies Record<string, Text>;

/** Checks that a text is a JSON object. */
export function readJsonObject(flag: string): (text: string) => string {
  return (text) => {
    let cause = '';
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
    } catch (error) {
      cause = error instanceof Error ? ` (${error.message})` : '';
    }
    throw new UsageError(
      {
        en: '--{flag} {text}: use a JSON object such as {example}{cause}',
        zh: '--{flag} {text}：请使用 JSON 对象，例如 {example}{cause}',
      },
      {
        flag,
        text: text.length > 60 ? `${text.slice(0, 60)}...` : text,
        example: '{"a":"b"}',
        cause,
      },
    );
  };
}
