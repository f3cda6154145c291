import type { Field, Fields, VisibleName, WireEntity } from '../../core/entities/field.ts';
import { localize, type Text } from '../base/text.ts';
import type { Column, View } from './table.ts';
import { formatTime } from './times.ts';

/**
 * The columns of a declared entity: first those that are placed here, in this order and with what
 * they have of their own, then the remaining fields that have a label, in the card only. `false`
 * leaves a field out.
 */
export function entityColumns<F extends Fields, Row extends WireEntity<F> = WireEntity<F>>(
  fields: F,
  placed: Readonly<Partial<Record<VisibleName<F>, Partial<Column<Row>> | false>>>,
): readonly Column<Row>[] {
  const own: Readonly<Record<string, Partial<Column<Row>> | false | undefined>> = placed;
  const others = Object.entries(fields).filter(([name, field]) => !(name in own) && isShown(field));
  return [
    ...Object.entries(own).flatMap(([name, column]) =>
      column === false ? [] : [{ ...columnOf<Row>(name, fields[name] as Field), ...column }],
    ),
    ...others.map(([name, field]) => ({ ...columnOf<Row>(name, field), cardOnly: true })),
  ];
}

function isShown({ label, hidden }: Field): boolean {
  return label !== undefined && hidden !== true;
}

function columnOf<Row extends object>(name: string, field: Field): Column<Row> {
  return {
    title: field.label ?? { en: name, zh: name },
    value: (row, view) => cellText(field, (row as Readonly<Record<string, unknown>>)[name], view),
    ...(field.kind === 'integer' || field.kind === 'quota' ? { align: 'right' as const } : {}),
  };
}

function cellText(
  { kind, never: neverValue, none, separator = ',' }: Field,
  value: unknown,
  view: View,
): string {
  if (none !== undefined && value === none) return '';
  if (kind === 'flag') return localize(view.language, value === true ? yes : no);
  if (kind === 'quota') return view.money.total(Number(value));
  if (kind === 'time')
    return value === neverValue
      ? localize(view.language, never)
      : formatTime(Number(value), view.now);
  if (kind === 'list') return String(value).split(separator).filter(Boolean).join(', ');
  return String(value);
}
const yes: Text = { en: 'yes', zh: '是' };
const no: Text = { en: 'no', zh: '否' };
const never: Text = { en: 'never', zh: '永不' };
