/** The flags of a list, which derive from its declared filters (core/entities). */
import type { Endpoint } from '../../core/contract/endpoint.ts';
import type { Filter, Filters, SingleFilter } from '../../core/entities/filters.ts';
import type { Flag } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { readTime } from './common-flags.ts';
import { fieldFlag } from './field-flag.ts';
import { userFlag } from './user-flag.ts';

type Own<F extends Filters> = Readonly<Partial<Record<keyof F & string, Partial<Flag>>>>;

/**
 * A flag under the name of each filter that the call has; `--since` and `--until` for times. `own`
 * adds to some of them.
 */
export function filterFlags<F extends Filters>(
  call: Pick<Endpoint, 'path' | 'input'>,
  filters: F,
  own?: Own<F>,
): readonly Flag[] {
  const more: Readonly<Record<string, Partial<Flag> | undefined>> = own ?? {};
  return ofCall(call, filters).flatMap(([name, filter]) =>
    flagsOf(call, flagName(name, filter), filter, more[name]),
  );
}

/**
 * The same filters for a change of many rows: `--match` is the search, `--match-…` are the others.
 * `input`: the schema of what matches.
 */
export function matchFlags<F extends Filters>(
  { path }: Endpoint,
  input: Endpoint['input'],
  filters: F,
): readonly Flag[] {
  return ofCall({ input }, filters).flatMap(([key, filter]) => {
    const name = key === 'keyword' ? 'match' : `match-${flagName(key, filter)}`;
    return flagsOf({ path, input }, name, filter).map((flag) => ({ ...flag, name }));
  });
}

/** The filters whose parameters the call has. */
function ofCall({ input }: Pick<Endpoint, 'input'>, filters: Filters) {
  const hasParameter = ({ wire }: Filter) => [wire].flat().every((one) => one in input.shape);
  return Object.entries(filters).filter(([, filter]) => hasParameter(filter));
}

function flagName(name: string, filter: Filter): string {
  if (filter.kind !== 'time' && filter.names === 'user') return 'user';
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function flagsOf(
  call: Pick<Endpoint, 'path' | 'input'>,
  name: string,
  filter: Filter,
  own?: Partial<Flag>,
): readonly Flag[] {
  if (filter.kind === 'time') return timeFlags(call, filter.wire, filter.unit);
  const { wire, label } = filter;
  if (filter.names === 'user') return [userFlag(call, wire as 'username' | 'user_id')];
  const isPattern = filter.kind === 'text' && filter.match === 'pattern';
  const summary: Text = filter.help ?? {
    en: `Only this ${label.en}${isPattern ? texts.pattern.en : ''}`,
    zh: `仅此${label.zh}${isPattern ? texts.pattern.zh : ''}`,
  };
  return [fieldFlag(call, wire, summary, { name, ...readingOf(name, filter), ...own })];
}

/** How the text of a flag is read. */
function readingOf(name: string, filter: SingleFilter): Partial<Flag> {
  switch (filter.kind) {
    case 'id':
      return { placeholder: 'ID' };
    case 'switch':
      return { kind: 'switch' };
    case 'moment':
      return { kind: 'text', placeholder: 'TIME', read: (text) => readTime(name, text, filter) };
    case 'text': {
      const { choices } = filter;
      return choices === undefined ? {} : { choices };
    }
    default: {
      const { choices } = filter;
      if (choices === undefined) return {};
      return { kind: 'text', choices: Object.keys(choices), read: (text) => choices[text] };
    }
  }
}

/** `--since` and `--until`. `unit`: units of the parameters per second. */
export function timeFlags(
  call: Pick<Endpoint, 'path' | 'input'>,
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
