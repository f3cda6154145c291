/**
 * The search over all settings: by key, label and description, in both languages. Loaded when
 * somebody searches.
 */
import { optionTexts as en } from '../../core/i18n/en/option-texts.ts';
import { optionTexts as zh } from '../../core/i18n/zh/option-texts.ts';
import {
  type OptionKey,
  optionFacts,
  type PanelId,
  panelPageOf,
} from '../../core/options/facts.ts';
import type { Language } from '../../core/vocabulary/languages.ts';
import { optionsOf } from './option-fields.ts';

/** A panel, or an option in it. */
export interface FoundSetting {
  readonly panel: PanelId;
  readonly option?: OptionKey;
}

/** The best matches that are shown. */
const most = 12;

const tables: readonly Readonly<Record<string, string>>[] = [zh, en];

/** The name of a panel or an option, by the id of its text. */
export function settingName(id: string, language: Language): string {
  const table = language === 'en' ? tables[1] : tables[0];
  return table?.[id] ?? id;
}

/** What is searched: names weigh more than descriptions. */
interface Entry {
  readonly found: FoundSetting;
  readonly names: readonly string[];
  readonly rest: string;
}

/** `RetryTimes`, `retry times`: keys are also found by their words. */
const wordsOf = (key: string) => key.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[._]/g, ' ');
const textsOf = (id: string) => tables.flatMap((table) => table[id] ?? []);

function entriesOf(panel: PanelId): readonly Entry[] {
  const { switches, fields } = optionsOf(panel);
  const keys = [...switches, ...fields];
  if (keys.length === 0) return [];
  const panelNames = [...textsOf(`panel.${panel}`), ...textsOf(`panel.${panelPageOf(panel)}`)];
  const whole: Entry = {
    found: { panel },
    names: textsOf(`panel.${panel}`).map(lower),
    rest: lower(panelNames.join(' ')),
  };
  return [
    whole,
    ...keys.map((option) => ({
      found: { panel, option },
      names: [option, wordsOf(option), ...textsOf(`option.${option}.label`)].map(lower),
      rest: lower(
        [
          ...textsOf(`option.${option}.hint`),
          ...(optionFacts(option).choices ?? []),
          ...panelNames,
        ].join(' '),
      ),
    })),
  ];
}

const lower = (text: string) => text.toLowerCase();

/** 0: no match; the higher, the better. Each word of the query has to occur somewhere. */
function rank({ names, rest, found }: Entry, words: readonly string[], query: string): number {
  const all = `${names.join(' ')} ${rest}`;
  if (!words.every((word) => all.includes(word))) return 0;
  const inNames = names.some((name) => words.every((word) => name.includes(word)));
  const best = names.some((name) => name === query)
    ? 4
    : names.some((name) => name.startsWith(query))
      ? 3
      : inNames
        ? 2
        : 1;
  return best + (found.option === undefined ? 0.5 : 0);
}

/** The settings that a query finds among these panels, best first. */
export function searchSettings(panels: readonly PanelId[], text: string): readonly FoundSetting[] {
  const query = lower(text.trim());
  const words = query.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  return panels
    .flatMap(entriesOf)
    .map((entry) => ({ found: entry.found, rank: rank(entry, words, query) }))
    .filter((entry) => entry.rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, most)
    .map(({ found }) => found);
}
