/**
 * The view of options: by panel, searched by key, label and hint, edited in the hint line. Secrets
 * are only written.
 */
import { optionTexts as en } from '../../core/i18n/en/option-texts.ts';
import { optionTexts as zh } from '../../core/i18n/zh/option-texts.ts';
import {
  isBuiltOption,
  isOptionKey,
  isSecretOption,
  optionDefinition,
  optionKeys,
} from '../../core/options/index.ts';
import type { Text } from '../base/text.ts';
import { line, span, wrap } from '../kit/lines.ts';
import type { EntityCommand, EntitySpec } from './entity-spec.ts';
import { editLongText } from './long-text.ts';
import { type Host, viewTitles } from './view.ts';

/** Options have no numeric id, so their position in the sorted list is the key. */
interface OptionRow {
  readonly place: number;
  readonly key: string;
  readonly value: string;
  /** Secrets only: whether one is stored. */
  readonly configured?: boolean | undefined;
  /** The default of a changed option. */
  readonly default?: string | undefined;
}

type Language = Host['cells']['language'];
const tables: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, zh };

function labelOf(key: string, language: Language): string {
  return tables[language][`option.${key}.label`] ?? '';
}
function panelOf(key: string): string {
  return isOptionKey(key) ? optionDefinition(key).panel : 'other.legacy';
}
/** `System › E-mail`, as the settings page calls it. */
function panelTitle(panel: string, language: Language): string {
  const [page = ''] = panel.split('.');
  const names = [tables[language][`panel.${page}`], tables[language][`panel.${panel}`]];
  return names.filter((name) => name !== undefined).join(' › ') || panel;
}

function searchText(key: string): string {
  const texts = [en, zh].flatMap((table: Readonly<Record<string, string>>) => [
    table[`option.${key}.label`],
    table[`option.${key}.hint`],
    table[`panel.${panelOf(key)}`],
  ]);
  return [key, panelOf(key), ...texts].join(' ').toLowerCase();
}

function shownValue(row: OptionRow, language: Language): string {
  if (row.configured === undefined) return row.value;
  return row.configured ? texts.secretSet[language] : texts.secretUnset[language];
}

const edit: EntityCommand<OptionRow> = {
  action: 'edit',
  async run(host, { rows: [row], reload }) {
    if (row === undefined) return;
    const save = async (value: string) => {
      await host.client.option.set({ key: row.key, value });
      await reload();
    };
    const change = async (value: string) => {
      await save(value);
      host.showChange(host.localize(texts.saved, { key: row.key }), () => save(row.value));
    };
    if (row.configured !== undefined) {
      host.promptSecret(texts.secretValue, row.key, async (text) => {
        if (text === '') return host.showMessage(host.localize(texts.kept), 'dim');
        await save(text);
        host.showMessage(host.localize(texts.saved, { key: row.key }), 'ok');
      });
      return;
    }
    const { kind, choices, multiline, separator } = isOptionKey(row.key)
      ? optionDefinition(row.key)
      : {};
    if (kind === 'boolean') {
      const isOn = row.value === 'true';
      host.ask(isOn ? texts.turnOff : texts.turnOn, row.key, () => change(String(!isOn)));
      return;
    }
    const format = kind === 'json' ? 'json' : multiline || separator === '\n' ? 'text' : undefined;
    if (
      format !== undefined &&
      (await editLongText(host, { name: row.key, format, value: row.value, save: change }))
    )
      return;
    const label = choices === undefined ? texts.value : withChoices(choices);
    host.prompt(label, row.key, row.value, change);
  },
};

function withChoices(choices: readonly string[]): Text {
  const listed = choices.filter(Boolean).join(', ');
  return { en: `{name} (${listed}): `, zh: `{name}（${listed}）：` };
}

const reset: EntityCommand<OptionRow> = {
  action: 'reset',
  run: (host, { rows: [row], reload }) => {
    if (row === undefined) return;
    host.ask(texts.reset, row.key, async () => {
      await host.client.option.reset({ key: row.key });
      await reload();
      const message = host.localize(texts.wasReset, { key: row.key });
      if (row.configured !== undefined) host.showMessage(message, 'ok');
      else
        host.showChange(
          message,
          async () => void (await host.client.option.set({ key: row.key, value: row.value })),
        );
    });
  },
};

export const optionSpec: EntitySpec<OptionRow> = {
  title: viewTitles.options,
  columns: [
    { title: { en: 'key', zh: '名称' }, value: (row) => row.key, width: 30, isId: true },
    {
      title: { en: 'value', zh: '值' },
      value: (row, view) => shownValue(row, view.language),
      tone: (row) =>
        row.configured !== undefined ? 'dim' : row.default === undefined ? 'plain' : 'info',
    },
    {
      title: { en: 'label', zh: '说明' },
      value: (row, view) => labelOf(row.key, view.language),
      width: 26,
      expendable: 1,
    },
    {
      title: { en: 'panel', zh: '面板' },
      value: (row, view) => panelTitle(panelOf(row.key), view.language),
      cardOnly: true,
    },
    { title: { en: 'default', zh: '默认值' }, value: (row) => row.default ?? '', cardOnly: true },
  ],
  keyOf: (row) => row.place,
  nameOf: (row) => row.key,
  state: (row, { glyphs }) =>
    row.default !== undefined || row.configured === true
      ? { glyph: glyphs.selected, tone: 'info' }
      : { glyph: ' ', tone: 'plain' },
  load: async ({ client }, filter) => {
    const stored = await client.option.list({ with_flags: true });
    const known = new Set(stored.map((row) => row.key));
    // The API leaves out secrets that are not set.
    const secrets = optionKeys.filter((key) => isSecretOption(key) && !known.has(key));
    const words = filter.toLowerCase().split(/\s+/);
    const items = [...stored, ...secrets.map((key) => ({ key, value: '', configured: false }))]
      .filter(({ key }) => !isOptionKey(key) || isBuiltOption(key))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map((row, place) => ({ ...row, place }))
      .filter(({ key }) => words.every((word) => searchText(key).includes(word)));
    return { items, total: items.length };
  },
  commands: [edit, reset],
  tags: {
    action: 'panel',
    title: { en: 'panel: {tag}', zh: '面板：{tag}' },
    of: (row) => panelOf(row.key),
  },
  card: (host, row, width) => {
    const hint = tables[host.cells.language][`option.${row.key}.hint`];
    return hint === undefined
      ? []
      : [line(''), ...wrap(hint, width).map((part) => line(span(part, 'dim')))];
  },
};

const texts = {
  secretSet: { en: 'set', zh: '已设置' },
  secretUnset: { en: 'not set', zh: '未设置' },
  value: { en: '{name}: ', zh: '{name}：' },
  secretValue: { en: 'new {name} (not shown): ', zh: '新的 {name}（不显示）：' },
  kept: { en: 'Nothing was changed', zh: '未做更改' },
  saved: { en: 'Set {key}', zh: '{key} 已设置' },
  turnOn: { en: 'turn {name} on?', zh: '开启 {name}？' },
  turnOff: { en: 'turn {name} off?', zh: '关闭 {name}？' },
  reset: { en: 'reset {name} to its default?', zh: '将 {name} 恢复为默认值？' },
  wasReset: { en: 'Reset {key}', zh: '{key} 已恢复默认值' },
} as const;
