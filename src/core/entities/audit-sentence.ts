/**
 * Entries of the audit log as sentences, the same in the console, on the command line and in files
 * (docs/rules/security.md#audit-sentences).
 */
import { parseObject } from '../kernel/json.ts';
import { chooseForms } from '../kernel/text.ts';
import { type AuditAction, auditActions, type Phrase } from '../vocabulary/audit-actions.ts';
import { auditPhrases, type FullPhrase } from '../vocabulary/audit-phrases.ts';
import type { Language } from '../vocabulary/languages.ts';
import { type ReadDetail, readDetail } from './audit-detail.ts';
import { type AuditTexts, auditFieldLabel, auditValueText, noTime } from './audit-values.ts';

/** Runs that are shown before the rest is counted, and from how many ids on a run is one. */
const mostRuns = 3;
const leastRun = 3;

/** `8,9,10,11,20` → `8 to 11, 20`; of many runs the rest is counted: `1, 3, 5 and 4 more`. */
export function idRanges(ids: readonly string[], language: Language): string {
  const runs: string[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run !== undefined && Number(run.at(-1)) + 1 === Number(id)) run.push(id);
    else runs.push([id]);
  }
  const pieces = runs.flatMap((run) => (run.length < leastRun ? run.map((id) => [id]) : [run]));
  // One id is no shorter as a number.
  const isLong = pieces.slice(mostRuns).flat().length > 1;
  const shown = isLong ? pieces.slice(0, mostRuns) : pieces;
  const rest = ids.length - shown.flat().length;
  const zh = language === 'zh';
  const text = shown
    .map((run) => (run.length === 1 ? run[0] : [run[0], run.at(-1)].join(zh ? ' 至 ' : ' to ')))
    .join(zh ? '、' : ', ');
  if (rest === 0) return text;
  return zh ? `${text} 等 ${ids.length} 个` : `${text} and ${rest} more`;
}

interface Entry {
  readonly action: string;
  readonly target: string;
  /** JSON object text. */
  readonly detail: string;
}

/** What somebody did, without who it was. */
export interface AuditSentence {
  /**
   * What is before the target, the target with the name that the entry keeps, what is behind;
   * joined, they are the sentence.
   */
  readonly parts: readonly [before: string, target: string, after: string];
  /** Names of the facts and changes that the sentence says already. */
  readonly said: ReadonlySet<string>;
}

type Values = Readonly<Record<string, unknown>>;

/** Said of values that are not kept, because they may be secret. */
const changed: Readonly<Record<Language, string>> = { en: 'changed', zh: '已修改' };

const named = ['name', 'username'];
const placeholder = /\{(\w+)(?::[^{}]*)?\}/g;

/** The sentence of an entry; the code of an action that this release does not know, with its target. */
export function auditSentence(entry: Entry, language: Language, texts: AuditTexts): AuditSentence {
  const detail = parseObject(entry.detail) ?? {};
  const ids = entry.target.split(',');
  const option = entry.action.startsWith('option.') ? texts.option(entry.target) : undefined;
  const target = option ?? targetText(entry, detail, language);
  const phrase = phraseOf(entry, detail);
  if (phrase === undefined)
    return { parts: [`${entry.action} `, target, ''], said: new Set(named) };
  const values: Values = { ...detail, target: entry.target, targets: ids.length };
  const text = chooseForms(phrase[language], countsOf(values));
  const fill = (part = '') =>
    part.replace(placeholder, (_, name: string) =>
      textOf(entry, name, values[name], language, texts),
    );
  const [before, after] = text.split('{target}');
  return {
    parts: after === undefined ? [fill(before), '', ''] : [fill(before), target, fill(after)],
    said: new Set([...named, ...namesIn(phrase), ...saidByChange(phrase)]),
  };
}

/** What an entry says beside its sentence. */
export function auditRest(
  entry: Entry,
  texts: AuditTexts,
  { said }: Pick<AuditSentence, 'said'>,
): ReadDetail {
  const { changes, facts } = readDetail(entry, texts);
  return {
    changes: changes.filter(({ field }) => !said.has(field)),
    // A code that does not expire is what everybody expects.
    facts: facts.filter(({ name, value }) => !said.has(name) && value !== noTime),
  };
}

/** The same as one line: `priority 0 → 7, remark: thanks`. */
export function auditRestText(entry: Entry, language: Language, texts: AuditTexts): string {
  const sentence = auditSentence(entry, language, texts);
  const { changes, facts } = auditRest(entry, texts, sentence);
  const nameOf = (field: string) => auditFieldLabel(entry.action, field, language) ?? field;
  const [colon, comma] = language === 'zh' ? ['：', '，'] : [': ', ', '];
  return [
    ...changes.map(({ field, from, to }) => {
      const isKept = from !== undefined || to !== undefined;
      const values = isKept ? `${from ?? '…'} → ${to ?? '…'}` : changed[language];
      return `${nameOf(field)} ${values}`.trim();
    }),
    ...facts.map(({ name, value }) => `${nameOf(name)}${colon}${value}`),
  ].join(comma);
}

/** The sentence in one text. */
export function auditSentenceText(entry: Entry, language: Language, texts: AuditTexts): string {
  return auditSentence(entry, language, texts).parts.join('').trim();
}

/** What a change says that the phrase depends on or names: its field, '' for the target itself. */
function saidByChange({ when, en }: FullPhrase): readonly string[] {
  if (when !== undefined) return [when[0]];
  return en.includes('{to}') ? [''] : [];
}

const namesIn = ({ en }: Phrase): readonly string[] =>
  [...en.matchAll(placeholder)].map(([, name = '']) => name);

function phraseOf({ action, target }: Entry, detail: Values): FullPhrase | undefined {
  if (!Object.hasOwn(auditActions, action)) return undefined;
  const known = action as AuditAction;
  const values: Values = { ...detail, target, targets: 1 };
  const full = auditPhrases[known]?.find(
    (phrase) =>
      namesIn(phrase).every((name) => values[name] !== undefined) && holds(phrase, detail, target),
  );
  return full ?? auditActions[known];
}

function holds({ when }: FullPhrase, detail: Values, target: string): boolean {
  if (when === undefined) return true;
  const [name, value] = when;
  if (name === 'target') return target === value;
  if (name === '') return detail.to === value;
  if (detail[name] === value) return true;
  const { changes } = detail;
  if (typeof changes !== 'object' || changes === null) return false;
  const [only, ...others] = Object.entries(changes);
  return others.length === 0 && only?.[0] === name && only[1]?.to === value;
}

/** What forms are chosen by: numbers as they are, lists by their length. */
function countsOf(values: Values): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.length : String(value),
    ]),
  );
}

function textOf(
  entry: Entry,
  name: string,
  value: unknown,
  language: Language,
  texts: AuditTexts,
): string {
  if (Array.isArray(value)) return idRanges(value.map(String), language);
  const field = name === 'from' || name === 'to' ? '' : name;
  return auditValueText(entry, field, value, texts);
}

/** `Mistral`, `Mistral (8 to 11 and 3 more)`, `3`. */
function targetText({ target }: Entry, { name, username }: Values, language: Language): string {
  const known = [name, username].find((one) => typeof one === 'string' && one !== '');
  const ids = target.split(',');
  const areIds = ids.every((id) => /^\d+$/.test(id));
  const shown = areIds ? idRanges(ids, language) : target;
  if (typeof known !== 'string') return shown;
  if (!areIds || ids.length === 1) return known;
  return language === 'zh' ? `${known}（${shown}）` : `${known} (${shown})`;
}
