/**
 * `turnpike options …` (docs/rules/command-line.md#secret-input). Secrets are written but never
 * returned.
 */
import { api } from '../../core/contract/index.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { isBuiltOption, isOptionKey, isSecretOption } from '../../core/options/index.ts';
import type { Flag } from '../base/flags.ts';
import { confirmBelowCost } from '../command/below-cost.ts';
import {
  type Argument,
  type Command,
  type Context,
  command,
  done,
  listed,
} from '../command/command.ts';
import type { Column } from '../show/table.ts';

const keyArgument: Argument = {
  name: 'key',
  kind: 'text',
  summary: { en: 'Key of the option', zh: '设置项名称' },
};
const allFlag: Flag = {
  name: 'all',
  kind: 'switch',
  summary: {
    en: 'Include options without effect in this release',
    zh: '包括在本版本中不生效的设置项',
  },
};
const searchFlag: Flag = {
  name: 'search',
  kind: 'text',
  summary: { en: 'Part of the key', zh: '名称包含' },
};

interface OptionRow {
  readonly key: string;
  readonly value: string;
  /** For secrets only: whether one is stored. */
  readonly configured?: boolean | undefined;
}

const optionColumns: readonly Column<OptionRow>[] = [
  { title: { en: 'key', zh: '名称' }, value: (row) => row.key },
  {
    title: { en: 'value', zh: '值' },
    value: (row, view) =>
      row.configured === undefined
        ? row.value.replaceAll(/\s+/g, ' ')
        : secretWord(row.configured)[view.language],
    tone: (row) => (row.configured === undefined ? 'plain' : 'dim'),
    narrow: 'elide',
  },
];

function secretWord(configured: boolean) {
  return configured ? texts.secretSet : texts.secretUnset;
}

async function findOption(context: Context, key: string): Promise<OptionRow> {
  const rows = await context.call(api.option.list, { with_flags: true });
  const row = rows.find((one) => one.key === key);
  if (row !== undefined) return row;
  // The API omits secrets until they are set (docs/rules/options.md#secrets).
  if (isOptionKey(key) && isSecretOption(key)) return { key, value: '', configured: false };
  throw new AppError('option_unknown', { key });
}

/**
 * Hides only options known to have no effect. Options of a gateway of another release are shown.
 */
function isOffered(key: string): boolean {
  return !isOptionKey(key) || isBuiltOption(key);
}

/** Omits the empty value of secrets: scripts only see whether one is set. */
function publicRow(row: OptionRow): object {
  return row.configured === undefined
    ? { key: row.key, value: row.value }
    : { key: row.key, configured: row.configured };
}

export const optionCommands: readonly Command[] = [
  command({
    name: 'options list',
    summary: {
      en: 'List options; secrets only show whether they are set',
      zh: '列出设置项（机密只显示是否已设置）',
    },
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
    summary: { en: 'Print the value of an option', zh: '输出设置项的值' },
    arguments: [keyArgument],
    async run(context) {
      const row = await findOption(context, context.arguments.key ?? '');
      return {
        json: publicRow(row),
        // A script gets the value as it is stored.
        print: (output) =>
          output.write(
            `${row.configured === undefined ? row.value : output.localize(secretWord(row.configured))}\n`,
          ),
      };
    },
  }),
  command({
    name: 'options set',
    summary: { en: 'Set an option', zh: '修改设置项' },
    details: {
      en: 'The value - reads standard input: use it for secrets and long JSON.',
      zh: '值为 - 时从标准输入读取，适用于机密和较长的 JSON。',
    },
    arguments: [
      keyArgument,
      {
        name: 'value',
        kind: 'text',
        summary: { en: 'Value, or - for standard input', zh: '值，- 表示标准输入' },
      },
    ],
    async run(context) {
      const { key = '', value: text = '' } = context.arguments;
      const value = text === '-' ? await context.terminal.readAll('-', true) : text;
      const agreed = await confirmBelowCost(context, [{ key, value }]);
      if (agreed === undefined)
        return done(texts.unchanged, {}, publicRow(await findOption(context, key)));
      await context.call(api.option.set, { key, value, below_cost: agreed });
      if (!isOffered(key)) context.output.note(texts.notBuilt, { key }, 'warn');
      return done(texts.set, { key }, publicRow(await findOption(context, key)));
    },
  }),
  command({
    name: 'options reset',
    summary: { en: 'Reset an option to its default', zh: '恢复设置项的默认值' },
    arguments: [keyArgument],
    confirmation: { en: 'Reset {key} to its default?', zh: '将 {key} 恢复为默认值？' },
    async run(context) {
      const { key = '' } = context.arguments;
      await context.call(api.option.reset, { key, below_cost: context.values.on('yes') });
      return done(texts.reset, { key }, publicRow(await findOption(context, key)));
    },
  }),
  command({
    name: 'options oidc',
    summary: {
      en: 'Set the addresses of an OIDC provider from its discovery document',
      zh: '根据发现文档设置 OIDC 提供方的各个地址',
    },
    arguments: [
      {
        name: 'url',
        kind: 'text',
        summary: {
          en: 'https://…/.well-known/openid-configuration',
          zh: 'https://…/.well-known/openid-configuration',
        },
      },
    ],
    async run(context) {
      const { url = '' } = context.arguments;
      const found = await context.call(api.option.oidcDiscovery, { well_known: url });
      const values = [
        { key: 'oidc.well_known', value: url },
        { key: 'oidc.authorization_endpoint', value: found.authorization_endpoint },
        { key: 'oidc.token_endpoint', value: found.token_endpoint },
        { key: 'oidc.user_info_endpoint', value: found.userinfo_endpoint },
      ];
      await context.call(api.option.setMany, { values });
      return done(texts.oidc, { issuer: found.issuer || url }, found);
    },
  }),
];

const texts = {
  oidc: { en: 'Set the addresses of {issuer}', zh: '已设置 {issuer} 的各个地址' },
  secretSet: { en: 'set', zh: '已设置' },
  secretUnset: { en: 'not set', zh: '未设置' },
  unchanged: { en: 'Nothing was changed', zh: '未做任何更改' },
  set: { en: 'Set {key}', zh: '{key} 已设置' },
  notBuilt: { en: '{key} has no effect in this release', zh: '{key} 在本版本中不生效' },
  reset: { en: 'Reset {key} to its default', zh: '{key} 已恢复默认值' },
} as const;
