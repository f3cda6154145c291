/** The flags of a list, which derive from its declared filters (core/entities). */
import type { Endpoint } from '../../core/contract/endpoint.ts';
import type { Filter, Filters } from '../../core/entities/filters.ts';
import type { Flag } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { readTime } from './common-flags.ts';
import { fieldFlag } from './field-flag.ts';
import { userFlag } from './user-flag.ts';

/**
 * A flag under the name of each filter that the call has; `--since` and `--until` for times. `own`
 * adds to some of them.
 */
export function filterFlags<F extends Filters>(
  call: Endpoint,
  filters: F,
  own?: Readonly<Partial<Record<keyof F & string, Partial<Flag>>>>,
): readonly Flag[] {
  const more: Readonly<Record<string, Partial<Flag> | undefined>> = own ?? {};
  const hasParameter = ({ wire }: Filter) => [wire].flat().every((one) => one in call.input.shape);
  return Object.entries(filters)
    .filter(([, filter]) => hasParameter(filter))
    .flatMap(([name, filter]) => flagsOf(call, name, filter, more[name]));
}

function flagsOf(
  call: Endpoint,
  name: string,
  filter: Filter,
  own: Partial<Flag> | undefined,
): readonly Flag[] {
  if (filter.kind === 'time') return timeFlags(call, filter.wire, filter.unit);
  const { wire, label } = filter;
  if (filter.names === 'user') return [userFlag(call, wire as 'username' | 'user_id')];
  const isPattern = filter.kind === 'text' && filter.match === 'pattern';
  const choices = filter.kind === 'text' ? filter.choices : undefined;
  const summary: Text = {
    en: `Only this ${label.en}${isPattern ? texts.pattern.en : ''}`,
    zh: `仅此${label.zh}${isPattern ? texts.pattern.zh : ''}`,
  };
  return [
    fieldFlag(call, wire, summary, {
      name,
      ...(filter.kind === 'id' && { placeholder: 'ID' }),
      ...(choices !== undefined && { choices }),
      ...own,
    }),
  ];
}

/** `--since` and `--until`. `unit`: units of the parameters per second. */
export function timeFlags(
  call: Endpoint,
  [from, to]: readonly [from: string, to: string] = ['start_timestamp', 'end_timestamp'],
  unit = 1,
): readonly Flag[] {
  const time = (name: string, parameter: string, summary: Text): Flag =>
    fieldFlag(call, parameter, summary, {
      name,
      kind: 'text',
      placeholder: 'TIME',
      read: (text) => readTime(name, text) * unit,
    });
  return [time('since', from, texts.since), time('until', to, texts.until)];
}

const texts = {
  pattern: { en: '; % at the start or end matches anything', zh: '；首尾可用 % 通配' },
  since: { en: 'From this time', zh: '起始时间' },
  until: { en: 'Up to this time', zh: '截止时间' },
} as const;
