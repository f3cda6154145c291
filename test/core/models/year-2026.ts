/**
 * When the chat models of 2026 came. Days are those of the vendors' change logs and of public lists;
 * the first of a month where only the month is known.
 */
import { ModelCatalogue } from '../../../src/core/models/catalogue.ts';
import type { ModelRow, ModelRule } from '../../../src/core/models/schema.ts';

export interface Release {
  readonly day: string;
  /** The type of channel that serves them. */
  readonly type: number;
  readonly vendor: string;
  readonly models: readonly string[];
}

const release = (day: string, type: number, vendor: string, models: string): Release => ({
  day,
  type,
  vendor,
  models: models.split(' '),
});

export const releases: readonly Release[] = [
  release('2026-02-05', 14, 'anthropic', 'claude-opus-4-6'),
  release('2026-02-17', 14, 'anthropic', 'claude-sonnet-4-6'),
  release('2026-02-19', 24, 'gemini', 'gemini-3.1-pro-preview'),
  release('2026-03-05', 1, 'openai', 'gpt-5.4 gpt-5.4-mini gpt-5.4-nano'),
  release('2026-04-16', 14, 'anthropic', 'claude-opus-4-7'),
  release('2026-04-23', 1, 'openai', 'gpt-5.5'),
  release('2026-05-01', 43, 'deepseek', 'deepseek-v4-pro deepseek-v4-flash'),
  release('2026-05-01', 48, 'xai', 'grok-4.3'),
  release('2026-05-01', 25, 'moonshot', 'kimi-k2.6'),
  release('2026-05-28', 14, 'anthropic', 'claude-opus-4-8'),
  release('2026-06-09', 14, 'anthropic', 'claude-fable-5 claude-mythos-5'),
  release('2026-06-30', 14, 'anthropic', 'claude-sonnet-5'),
  release('2026-07-09', 1, 'openai', 'gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna'),
  release('2026-07-24', 14, 'anthropic', 'claude-opus-5'),
  release('2026-08-01', 25, 'moonshot', 'kimi-k3'),
  release('2026-08-01', 48, 'xai', 'grok-4.5'),
  release('2026-08-01', 24, 'gemini', 'gemini-3.6-flash'),
  release('2026-09-01', 24, 'gemini', 'gemini-3.7-flash gemini-4-argon'),
  release('2026-09-15', 45, 'volcengine', 'doubao-seed-2-1-pro-260915'),
  release('2026-09-22', 14, 'anthropic', 'claude-opus-5-5'),
  release('2026-09-23', 1, 'openai', 'gpt-6-sol gpt-6-luna gpt-6-astra'),
  release('2026-09-28', 14, 'anthropic', 'claude-sonnet-5-5'),
  release('2026-10-01', 48, 'xai', 'grok-4.6'),
  release('2026-10-01', 24, 'gemini', 'gemini-4-hydrogen'),
  release('2026-10-07', 14, 'anthropic', 'claude-haiku-5-5'),
  release('2026-10-21', 1, 'openai', 'gpt-6.1-sol gpt-6.1-terra'),
  release('2026-11-01', 14, 'anthropic', 'claude-fable-5-1 claude-mythos-5-1'),
  release('2026-11-01', 24, 'gemini', 'gemini-3.8-flash'),
  release('2026-11-01', 48, 'xai', 'grok-4.7'),
  release('2026-11-01', 25, 'moonshot', 'kimi-k3.1-pro'),
  release('2026-11-01', 42, 'mistral', 'mistral-large-4 mistral-medium-3.5'),
  release('2026-11-01', 26, 'zhipu', 'glm-5.3 glm-5.3-flash'),
  release('2026-11-01', 17, 'ali', 'qwen3.8-max qwen3.8-flash'),
  release('2026-11-01', 35, 'minimax', 'MiniMax-M3'),
];

const newYear = '2026-01-01';
const came = new Map(releases.flatMap(({ day, models }) => models.map((name) => [name, day])));

/** Other models of this year's generations: whoever knows these days knows of none of them. */
const ofTheYear =
  /^(gpt-(5\.[3-9]|6)|claude-(fable|mythos|(opus|sonnet|haiku)-(4-[6-9]|5))|gemini-(3\.[1-9]|4|pro-latest|flash-|omni|nano)|grok-(4\.|build)|deepseek-v4|kimi-k(2\.[67]|3)|mistral-(large-4|medium|small)|magistral|ministral|devstral|glm-5|qwen3\.|doubao-seed-2|MiniMax-M[23])/;

function isKnown(name: string, day: string): boolean {
  const released = came.get(name);
  if (released !== undefined) return released <= day;
  return day !== newYear && ofTheYear.test(name) ? false : !ofTheYear.test(name);
}

/** The rows that a catalogue of this day had. On New Year's Day nothing of the year's ends was known. */
export function rowsOn(day: string, rows: readonly ModelRow[]): readonly ModelRow[] {
  return rows
    .filter(({ name }) => isKnown(name, day))
    .map((row) => {
      if (day !== newYear || row.ends === undefined || row.ends < newYear) return row;
      const { ends: _ends, endsAt: _endsAt, successor: _successor, ...rest } = row;
      return rest;
    });
}

/** The rules: those of generations that had come, and of what is of no year. */
export function rulesOn(day: string, rules: readonly ModelRule[]): readonly ModelRule[] {
  return rules.filter((rule) => {
    const alone = new ModelCatalogue({ rules: [rule], rows: [] });
    const of = (names: Iterable<string>) =>
      [...names].filter((name) => alone.find(name).family !== undefined);
    const fitting = of(came.keys());
    const older = ['gpt-5.2', 'claude-opus-4-5', 'gemini-3-pro-preview', 'grok-4', 'kimi-k2'];
    return (
      fitting.length === 0 || of(older).length > 0 || fitting.some((name) => isKnown(name, day))
    );
  });
}
