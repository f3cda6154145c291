/** Flags that many commands share. */

import { type Flag, readInteger } from '../base/flags.ts';
import { UsageError } from '../base/usage-error.ts';
import type { Command } from './command.ts';

/** Every command has these. */
export const globalFlags: readonly Flag[] = [
  { name: 'json', kind: 'switch', summary: { en: 'Print JSON', zh: '输出 JSON' } },
  { name: 'lang', kind: 'text', placeholder: 'zh|en', choices: ['zh', 'en'], summary: { en: 'Language', zh: '语言' } },
  { name: 'quiet', kind: 'switch', summary: { en: 'No notes on stderr', zh: '不输出提示信息' } },
  { name: 'yes', kind: 'switch', summary: { en: 'Do not ask before dangerous steps', zh: '危险操作前不再询问' } },
];

export const dataDirFlag: Flag = {
  name: 'data-dir',
  kind: 'text',
  placeholder: 'DIR',
  summary: { en: "Data folder instead of the operating system's usual place", zh: '数据目录，默认使用系统的惯用位置' },
};

/** Which gateway a command works on (design, product 8). */
export const connectionFlags: readonly Flag[] = [
  { name: 'server', kind: 'text', placeholder: 'URL', summary: { en: 'Work on a remote gateway', zh: '操作远程网关' } },
  {
    name: 'access-token',
    kind: 'text',
    placeholder: 'T',
    summary: { en: 'System access token of a user there', zh: '远程网关上用户的系统访问令牌' },
  },
  {
    name: 'profile',
    kind: 'text',
    placeholder: 'NAME',
    summary: { en: 'A saved server and token', zh: '使用保存的服务器与令牌' },
  },
  dataDirFlag,
];

/** Flags of a command, with those every command has. */
export function flagsOf(command: Command): readonly Flag[] {
  const own = new Set(command.flags.map((flag) => flag.name));
  const shared = command.local ? globalFlags : [...connectionFlags, ...globalFlags];
  return [...command.flags, ...shared.filter((flag) => !own.has(flag.name))];
}

/** `--page` counts from 1 whatever the wire does. */
export function pageFlags(from: 0 | 1 | undefined, sizeField = 'page_size'): readonly Flag[] {
  const page: Flag = { name: 'page', kind: 'integer', placeholder: 'N', summary: { en: 'Page, from 1', zh: '页码，从 1 起' } };
  return [
    from === undefined ? page : { ...page, field: 'p', read: (text) => readPage(text) - 1 + from },
    {
      name: 'page-size',
      kind: 'integer',
      placeholder: 'N',
      field: sizeField,
      summary: { en: 'Rows per page, at most 100 (default 10)', zh: '每页行数，至多 100（默认 10）' },
    },
  ];
}

function readPage(text: string): number {
  const page = readInteger('page', text);
  if (page < 1) throw new UsageError({ en: '--page counts from 1', zh: '--page 从 1 开始' });
  return page;
}

/** Whole Unix seconds of `2026-11-20`, `2026-11-20T19:04:52`, an ISO time with zone, or a number of seconds. Dates are local. */
export function readTime(flag: string, text: string): number {
  if (/^\d{9,}$/.test(text)) return Number(text);
  const local = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text.replace(' ', 'T');
  const time = Date.parse(local);
  if (Number.isNaN(time)) {
    throw new UsageError(
      {
        en: '--{flag} {text}: write 2026-11-20 or 2026-11-20T19:04:52',
        zh: '--{flag} {text}：请写 2026-11-20 或 2026-11-20T19:04:52',
      },
      { flag, text },
    );
  }
  return Math.floor(time / 1000);
}

export function readJsonObject(flag: string): (text: string) => string {
  return (text) => {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
    } catch {
      // falls through: the words are the same for broken JSON and for JSON that is no object
    }
    throw new UsageError({ en: '--{flag}: not a JSON object', zh: '--{flag}：不是 JSON 对象' }, { flag });
  };
}
