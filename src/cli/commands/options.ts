/** `turnpike options …` (design, product 8; spec, console-api 5). A secret is written and never read back. */
import { api } from '../../core/contract/index.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { isBuiltOption, isOptionKey, isSecretOption } from '../../core/options/index.ts';
import type { Flag } from '../base/flags.ts';
import { type Argument, type Command, type Context, command, done, listed } from '../command/command.ts';
import type { Column } from '../show/table.ts';

const keyArgument: Argument = { name: 'key', kind: 'text', summary: { en: 'Name of the option', zh: '选项名称' } };
const allFlag: Flag = {
  name: 'all',
  kind: 'switch',
  summary: { en: 'Also options that nothing in this release acts on', zh: '包括本版本尚未起作用的选项' },
};
const searchFlag: Flag = { name: 'search', kind: 'text', summary: { en: 'In the name', zh: '匹配名称' } };

interface OptionRow {
  readonly key: string;
  readonly value: string;
  /** Only on secrets: whether one is stored. */
  readonly configured?: boolean | undefined;
}

const shortValue = (row: OptionRow) => {
  const text = row.value.replaceAll(/\s+/g, ' ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};
const optionColumns: readonly Column<OptionRow>[] = [
  { title: { en: 'key', zh: '名称' }, value: (row) => row.key },
  {
    title: { en: 'value', zh: '值' },
    value: (row, view) => (row.configured === undefined ? shortValue(row) : secretWord(row.configured)[view.language]),
    tone: (row) => (row.configured === undefined ? 'plain' : 'dim'),
  },
];

function secretWord(configured: boolean) {
  return configured ? texts.secretSet : texts.secretUnset;
}

async function findOption(context: Context, key: string): Promise<OptionRow> {
  const rows = await context.call(api.option.list, { with_flags: true });
  const row = rows.find((one) => one.key === key);
  if (row !== undefined) return row;
  // The wire leaves secrets out until they are set (console-api 5).
  if (isOptionKey(key) && isSecretOption(key)) return { key, value: '', configured: false };
  throw new AppError('option_unknown', { key });
}

/** Options of another release's gateway pass: only what this one knows as not built is held back. */
function isOffered(key: string): boolean {
  return !isOptionKey(key) || isBuiltOption(key);
}

/** Secrets lose their empty value: scripts see only whether one is set. */
function publicRow(row: OptionRow): object {
  return row.configured === undefined ? { key: row.key, value: row.value } : { key: row.key, configured: row.configured };
}

export const optionCommands: readonly Command[] = [
  command({
    name: 'options list',
    summary: { en: 'List options; of secrets only whether they are set', zh: '列出选项（密钥类只显示是否已设置）' },
    flags: [searchFlag, allFlag],
    async run(context) {
      const search = context.values.text('search')?.toLowerCase() ?? '';
      const all = await context.call(api.option.list, { with_flags: true });
      const isShown = (key: string) => context.values.on('all') || isOffered(key);
      const items = all
        .filter(({ key }) => key.toLowerCase().includes(search) && isShown(key))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
      return {
        ...listed({ items, total: items.length }, optionColumns),
        json: { items: items.map(publicRow), total: items.length },
      };
    },
  }),
  command({
    name: 'options get',
    summary: { en: 'Print the value of an option', zh: '输出选项的值' },
    arguments: [keyArgument],
    async run(context) {
      const row = await findOption(context, context.arguments.key ?? '');
      return {
        json: publicRow(row),
        print: (output) => output.line(row.configured === undefined ? row.value : output.say(secretWord(row.configured))),
      };
    },
  }),
  command({
    name: 'options set',
    summary: { en: 'Set an option', zh: '设置选项' },
    details: {
      en: 'A value of - is read from standard input: the way for secrets and for long JSON.',
      zh: '值为 - 时从标准输入读取，适用于密钥和较长的 JSON。',
    },
    arguments: [
      keyArgument,
      { name: 'value', kind: 'text', summary: { en: 'Value, or - for standard input', zh: '值，- 表示标准输入' } },
    ],
    async run(context) {
      const { key = '', value: word = '' } = context.arguments;
      const value = word === '-' ? await context.terminal.readAll('value', true) : word;
      await context.call(api.option.set, { key, value });
      if (!isOffered(key)) context.output.note(texts.notBuilt, { key }, 'warn');
      return done(texts.set, { key }, publicRow(await findOption(context, key)));
    },
  }),
  command({
    name: 'options reset',
    summary: { en: 'Set an option back to its default', zh: '恢复选项的默认值' },
    arguments: [keyArgument],
    asks: { en: 'Set {key} back to its default?', zh: '将 {key} 恢复为默认值？' },
    async run(context) {
      const { key = '' } = context.arguments;
      await context.call(api.option.reset, { key });
      return done(texts.reset, { key }, publicRow(await findOption(context, key)));
    },
  }),
];

const texts = {
  secretSet: { en: 'set', zh: '已设置' },
  secretUnset: { en: 'not set', zh: '未设置' },
  set: { en: '{key} is set', zh: '{key} 已设置' },
  notBuilt: { en: 'Nothing in this release acts on {key}', zh: '本版本中 {key} 尚不起作用' },
  reset: { en: '{key} has its default again', zh: '{key} 已恢复默认值' },
} as const;
