import { isMessageKey, type Language, translate } from '../../src/core/i18n/translate.ts';
import {
  type OptionDefinition,
  type OptionKey,
  type OptionValue,
  optionDefinition,
  optionKeys,
  type PanelId,
  panelPages,
  panelsOf,
  writeOption,
} from '../../src/core/options/index.ts';
import { code, generatedNote, table } from './markdown.ts';

/** For longer defaults only the size is shown: the price tables have hundreds of rows. */
const longestDefault = 120;

/** docs/options.md: every option by page and section of the settings. */
export function optionsDocument(): string {
  const pages = panelPages.flatMap((page) => [
    `## ${translate('en', `panel.${page}`)}`,
    '',
    ...panelsOf(page).flatMap(section),
  ]);
  return [
    generatedNote,
    '# Options',
    '',
    'Options belong to the site: they are stored in the database and changed in the console, with `turnpike options set KEY VALUE`',
    'or by `PUT /api/option/`. Settings of the process (port, database, data folder) are flags and environment variables.',
    '',
    '- In the API every value is text: `true` or `false`, a number, a text, a list (one per line, or separated by commas), or JSON.',
    '- *public* options are shown to visitors, *admin* ones to administrators, who cannot change them. A *secret* is never returned: an empty value',
    '  keeps the stored one, `-` clears it.',
    '- *No effect* marks options that are stored and validated, but that nothing in this release acts on.',
    '',
    ...pages,
  ].join('\n');
}

function section(panel: PanelId): string[] {
  const rows = optionKeys.filter((key) => optionDefinition(key).panel === panel).map(row);
  return [
    `### ${translate('en', `panel.${panel}`)}`,
    '',
    table(['Key', 'Meaning', 'Value', 'Default', 'Visible to'], rows),
    '',
  ];
}

function row(key: OptionKey): string[] {
  const definition = optionDefinition(key);
  const hint = textOf('en', key, 'hint');
  return [
    code(key),
    textOf('en', key, 'label') +
      (hint === '' ? '' : `. ${hint}`) +
      (definition.built ? '' : ' *(no effect)*'),
    valueText(definition),
    defaultText(key, definition),
    definition.status === undefined
      ? definition.exposure
      : `${definition.exposure}, as ${code(definition.status)}`,
  ];
}

function textOf(language: Language, key: OptionKey, part: 'label' | 'hint'): string {
  const message = `option.${key}.${part}`;
  return isMessageKey(message) ? translate(language, message) : '';
}

function valueText({ kind, bounds, choices, separator, needs }: OptionDefinition): string {
  const parts: string[] = [
    choices === undefined ? kindText(kind, separator) : choices.map(code).join(', '),
  ];
  if (bounds?.above !== undefined) parts.push(`above ${bounds.above}`);
  if (bounds?.min !== undefined && bounds.max !== undefined)
    parts.push(`${bounds.min} to ${bounds.max}`);
  else if (bounds?.min !== undefined) parts.push(`${bounds.min} or more`);
  if (needs !== undefined) parts.push(`needs ${needs.map(code).join(', ')}`);
  return parts.join('; ');
}

function kindText(kind: OptionDefinition['kind'], separator: ',' | '\n' | undefined): string {
  if (kind !== 'list') return kind;
  return separator === '\n' ? 'list, one per line' : 'list, separated by commas';
}

function defaultText(key: OptionKey, { kind, default: value }: OptionDefinition): string {
  const text = writeOption(key, value as OptionValue<typeof key>);
  if (text === '') return '';
  if (text.length <= longestDefault) return code(text);
  return kind === 'json' || kind === 'list'
    ? `${Object.keys(value as object).length} entries`
    : `${text.length} characters`;
}
