/** Flags of commands that list rows (docs/rules/command-line.md#lists). */
import type { Flag } from '../base/flags.ts';

export const listFlags: readonly Flag[] = [
  {
    name: 'columns',
    kind: 'text',
    placeholder: 'A,B',
    summary: {
      en: 'Only these columns, in this order; a wrong name lists all',
      zh: '只显示这些列，按此顺序；列名有误时会列出全部列名',
    },
  },
  {
    name: 'watch',
    kind: 'text',
    placeholder: 'SECONDS',
    optionalValue: true,
    summary: {
      en: 'Show it again every so many seconds (default 2) until Ctrl-C; with --json a line for each change',
      zh: '每 2 秒（或指定秒数）刷新一次，按 Ctrl-C 停止；配合 --json 时，每次变化输出一行',
    },
  },
];

/** Lists of a gateway; others print lines of their own. */
export const isList = ({ name, local = false }: { name: string; local?: boolean }): boolean =>
  !local && (name.endsWith(' list') || name === 'nodes');
