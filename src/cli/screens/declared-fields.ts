/**
 * Fields of an entity for editing in the terminal screens, from their declarations
 * (`core/entities`).
 */
import type { Field, Fields } from '../../core/entities/field.ts';
import type { Text } from '../base/text.ts';
import { readAmount } from './amounts.ts';
import type { EditableField } from './entity-fields.ts';
import type { Host } from './view.ts';

type Values = Readonly<Record<string, unknown>>;

/** The fields of these names. `save` gets the changed field alone, in the shape of the API. */
export function declaredFields<F extends Fields, Row extends object>(
  fields: F,
  names: readonly (keyof F & keyof Row & string)[],
  save: (host: Host, row: Row, changes: Values) => Promise<unknown>,
): readonly EditableField<Row>[] {
  return names.map((name) => {
    const field = fields[name] as Field;
    const title = field.label ?? { en: field.flag ?? name, zh: field.help?.zh ?? name };
    return {
      title,
      value: (row) => writeValue(field, row[name]),
      save: async (host, row, text) => {
        await save(host, row, { [name]: readValue(host, field, text.trim()) });
      },
    };
  });
}

const two = (figure: number) => String(figure).padStart(2, '0');

function writeValue({ kind, never, separator = ',' }: Field, value: unknown): string {
  if (kind === 'flag' || kind === 'bit') return value === true || value === 1 ? 'on' : 'off';
  if (kind === 'list') return String(value).split(separator).filter(Boolean).join(',');
  if (kind !== 'time') return String(value ?? '');
  if (value === never) return 'never';
  const time = new Date(Number(value) * 1000);
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

function readValue(host: Host, field: Field, text: string): string | number | boolean {
  const { kind, never, separator = ',' } = field;
  if (kind === 'quota') return readAmount(host, text);
  if (kind === 'integer' || kind === 'decimal') {
    if (!/^-?\d{1,15}(\.\d+)?$/.test(text)) throw new Error(host.localize(texts.number, { text }));
    return Number(text);
  }
  if (kind === 'flag' || kind === 'bit') {
    if (!/^(on|off)$/i.test(text)) throw new Error(host.localize(texts.onOrOff, { text }));
    const isOn = text.toLowerCase() === 'on';
    return kind === 'bit' ? Number(isOn) : isOn;
  }
  if (kind === 'list') {
    const entries = text.split(',').map((entry) => entry.trim());
    return entries.filter(Boolean).join(separator);
  }
  return kind === 'time' ? readMoment(host, text, never) : text;
}

/** `2026-11-20`, `2026-11-20 19:04`, or `never`. */
function readMoment(host: Host, text: string, never: number | undefined): number {
  if (never !== undefined && text.toLowerCase() === 'never') return never;
  const time = Date.parse(
    /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text.replace(' ', 'T'),
  );
  if (Number.isNaN(time)) throw new Error(host.localize(texts.time, { text }));
  return Math.floor(time / 1000);
}

const texts = {
  number: { en: '{text} is not a number', zh: '{text} 不是数字' },
  onOrOff: { en: '{text}: use on or off', zh: '{text}：请输入 on 或 off' },
  time: {
    en: '{text}: use 2026-11-20, 2026-11-20 19:04 or never',
    zh: '{text}：请输入 2026-11-20、2026-11-20 19:04 或 never',
  },
} as const satisfies Record<string, Text>;
