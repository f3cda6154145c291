/** Declared fields as a file has them, and as calls take them. */
import type { Field } from '../../../core/entities/field.ts';
import { isObject, parseJson } from '../../../core/kernel/json.ts';
import type { Text } from '../../base/text.ts';
import type { Path, Problems } from './problems.ts';

/** Lists and objects instead of their texts, `true` instead of 1. */
export function fileValue({ kind, separator = ',' }: Field, value: unknown): unknown {
  if (kind === 'bit') return value === 1;
  if (kind === 'list')
    return String(value)
      .split(separator)
      .filter((part) => part !== '');
  if (kind !== 'json' || value === '') return value;
  const parsed = parseJson(String(value));
  return isObject(parsed) ? parsed : value;
}

/** Undefined for a value of another kind, which is a problem of its place. */
export function wireValue(
  path: Path,
  { kind, separator = ',' }: Field,
  value: unknown,
  problems: Problems,
): unknown {
  const refuse = (text: Text, at = path) => {
    problems.add(at, text);
    return undefined;
  };
  switch (kind) {
    case 'bit':
      return typeof value === 'boolean' ? Number(value) : refuse(texts.flag);
    case 'flag':
      return typeof value === 'boolean' ? value : refuse(texts.flag);
    case 'integer':
    case 'quota':
      return Number.isSafeInteger(value) ? value : refuse(texts.integer);
    case 'list': {
      if (!Array.isArray(value)) return refuse(texts.list);
      const wrong = value.findIndex((part) => typeof part !== 'string' || part.includes(separator));
      if (wrong >= 0)
        return refuse(typeof value[wrong] === 'string' ? texts.separator : texts.text, [
          ...path,
          String(wrong),
        ]);
      return value.join(separator);
    }
    case 'json':
      // A text stays as it is: an imported channel may have one that is not JSON.
      if (typeof value === 'string') return value;
      return isObject(value) ? JSON.stringify(value) : refuse(texts.object);
    default:
      return typeof value === 'string' ? value : refuse(texts.text);
  }
}

const texts = {
  flag: { en: 'must be true or false', zh: '应为 true 或 false' },
  integer: { en: 'must be a whole number', zh: '应为整数' },
  list: { en: 'must be a list, such as [first, second]', zh: '应为列表，例如 [first, second]' },
  object: {
    en: 'must have named entries, such as { name: value }',
    zh: '应由带名称的条目组成，例如 { name: value }',
  },
  text: { en: 'must be a text: write it in quotes', zh: '应为文本：请加引号' },
  separator: { en: 'must not contain a comma: write two entries', zh: '不能包含逗号：请写成两项' },
} as const;
