/**
 * The question before a form is saved over what others have saved meanwhile
 * (docs/rules/console.md#overwriting). Loaded when there is something to ask.
 */
import type { ReactNode } from 'react';
import { translate } from '../../core/i18n/translate.ts';
import type { overwriting } from '../../core/i18n/zh/words.ts';
import { confirmDanger } from '../components/confirm-danger.tsx';
import { currentLanguage, translate as translateUi } from '../i18n/index.ts';
import { changedKeys } from './changed-keys.ts';
import type { Field, FormField } from './fields.ts';
import classes from './overwritten.module.css';
import { useFieldText } from './use-field-changes.ts';

/** Longest value that is shown whole. */
const longest = 160;
/** What is shown of a longer one before the place where it differs. */
const lead = 40;

type Word = keyof typeof overwriting extends `form.overwrite.${infer W}` ? W : never;

const overwriteWord = (word: Word, params = {}): string =>
  translate(currentLanguage(), `form.overwrite.${word}`, params);

/** A field that would be overwritten, with its value now and the one that would be saved. */
interface Overwritten {
  readonly label: string;
  /** Undefined: a secret. */
  readonly values: readonly [now: string, mine: string] | undefined;
}

/** False: the answer is to go on editing. */
export function askOverwrite(count: number, fields: ReactNode): Promise<boolean> {
  return new Promise((resolve) => {
    confirmDanger({
      title: overwriteWord('title', { count }),
      text: (
        <>
          {overwriteWord('text')}
          {fields}
        </>
      ),
      confirm: overwriteWord('confirm'),
      cancel: translateUi('common.leave.stay'),
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
    });
  });
}

/** What a lost reply leaves open. */
export const lostText = (): string => overwriteWord('lost');

/** Asked before what may have been done already is done again. False: it is not. */
export function askToRepeat(): Promise<boolean> {
  return new Promise((resolve) => {
    confirmDanger({
      title: overwriteWord('again'),
      text: overwriteWord('again.text'),
      confirm: overwriteWord('again.confirm'),
      cancel: translateUi('common.leave.stay'),
      mild: true,
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
    });
  });
}

/** The same for fields whose values are texts already. */
export const OverwrittenFields = ({ fields }: { readonly fields: readonly Overwritten[] }) =>
  fields.map(({ label, values }) => (
    <span key={label} className={classes.field}>
      <b>{label}</b>
      {values === undefined ? (
        <span className={classes.value}>{overwriteWord('secret')}</span>
      ) : (
        values.map((value, index) => (
          <span key={index === 0 ? 'now' : 'mine'} className={classes.value}>
            {overwriteWord(index === 0 ? 'now' : 'mine')}
            {currentLanguage() === 'en' ? ': ' : '：'}
            {value === '' ? overwriteWord('empty') : excerpt(value, values[index === 0 ? 1 : 0])}
          </span>
        ))
      )}
    </span>
  ));

/** A long text from where it begins to differ from the other one. */
function excerpt(text: string, other: string): string {
  if (text.length <= longest) return text;
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  const from = Math.max(0, Math.min(same - lead, text.length - longest));
  const until = from + longest;
  return `${from > 0 ? '…' : ''}${text.slice(from, until)}${until < text.length ? '…' : ''}`;
}

/** What is stored now, what it was when the form began, and what would be saved. */
interface Meeting<V extends object> {
  readonly stored: V;
  readonly now: V;
  readonly values: V;
  /** The fields that would be overwritten. */
  readonly names: readonly (keyof V & string)[];
  readonly fields: readonly FormField<V>[];
}

/** Asks about the fields of a drawer. */
export function askAboutFields<V extends object>(meeting: Meeting<V>): Promise<boolean> {
  const shown = meeting.names.flatMap((name) => placesOf(name, meeting));
  return askOverwrite(shown.length, <DrawerFields places={shown} />);
}

interface Place {
  readonly field: Field | undefined;
  readonly label: string;
  readonly now: unknown;
  readonly mine: unknown;
}

/** A value that is edited in parts is shown by the parts that differ. */
function placesOf<V extends object>(
  name: keyof V & string,
  { stored, now, values, fields }: Meeting<V>,
): readonly Place[] {
  const own = fields.filter((field) => field.name === name);
  const parts = own.flatMap((field): readonly Place[] => {
    if (field.part === undefined) return [];
    const { read } = field.part;
    const place = { field, label: field.label, now: read(now[name]), mine: read(values[name]) };
    return isSame(place.now, read(stored[name])) || isSame(place.now, place.mine) ? [] : [place];
  });
  if (parts.length > 0) return parts;
  const field = own.find(({ part }) => part === undefined);
  return [{ field, label: field?.label ?? name, now: now[name], mine: values[name] }];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function DrawerFields({ places }: { readonly places: readonly Place[] }) {
  const show = useFieldText();
  const textOf = (field: Field | undefined, value: unknown): string => {
    const text = field && show(field, value);
    if (text !== undefined) return text;
    if (typeof value === 'boolean') return overwriteWord(value ? 'on' : 'off');
    if (Array.isArray(value)) return value.join(overwriteWord('joint'));
    return typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
  };
  const fields = places.map(
    ({ field, label, now, mine }): Overwritten => ({
      label,
      values: field?.kind === 'secret' ? undefined : [textOf(field, now), textOf(field, mine)],
    }),
  );
  return <OverwrittenFields fields={fields} />;
}

/** The values of a form that goes on: what is stored now where nothing was typed. */
export function withStored<V extends object>({
  stored,
  now,
  values,
  fields,
}: Omit<Meeting<V>, 'names'>): V {
  const typed = changedKeys(stored, values);
  const merged = typed.map((name) => {
    const parts = fields.flatMap(({ name: of, part }) => (of === name && part ? [part] : []));
    const whole = parts
      .filter(({ read }) => isSame(read(values[name]), read(stored[name])))
      .filter(({ read }) => !isSame(read(now[name]), read(stored[name])))
      .reduce((before: unknown, { read, write }) => write(before, read(now[name])), values[name]);
    return [name, whole] as const;
  });
  return { ...now, ...Object.fromEntries(merged) };
}
