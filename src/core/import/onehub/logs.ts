/** The usage log of one-hub (model/log.go, relay/relay_util/quota.go, 2026-02-20). */

import { ratioTo } from '../../kernel/decimal.ts';
import { parseObject } from '../../kernel/json.ts';
import { toInteger, toTrimmed } from '../convert.ts';
import { logsMapping } from '../mapping/logs.ts';
import type { TableMapping } from '../mapping/mapping.ts';

type Metadata = Readonly<Record<string, unknown>>;

export const logsOfOneHub: TableMapping = {
  ...logsMapping,
  alsoRead: ['request_time', 'source_ip', 'metadata'],
  refine(context, notes) {
    const finish = logsMapping.refine?.(context, notes);
    return (draft, source) => {
      const metadata = parseObject(toTrimmed(source['metadata'])) ?? {};
      const milliseconds = toInteger(source['request_time']);
      const name = metadata['is_backup_group'] === true ? 'backup_group_name' : 'group_name';
      const group = metadata[name];
      const other = chargeOf(metadata, context.quotaPerUnit);
      if (milliseconds > 0) other['use_ms'] = milliseconds;
      const row = {
        ...draft,
        use_time: Math.floor(milliseconds / 1000),
        group: typeof group === 'string' ? group : '',
        other: Object.keys(other).length === 0 ? '' : JSON.stringify(other),
      };
      return finish?.(row, { ...source, ip: source['source_ip'] }) ?? null;
    };
  },
};

/** What a row was charged by, in the words of our log. */
function chargeOf(metadata: Metadata, quotaPerUnit: number): Record<string, number> {
  const number = (name: string): number | undefined => {
    const value = metadata[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  };
  const charge: Record<string, number> = {};
  const input = number('input_ratio');
  const output = number('output_ratio');
  if (metadata['price_type'] === 'times' && input !== undefined)
    charge['model_price'] = ratioTo(input * 1000, quotaPerUnit);
  else if (input !== undefined) {
    charge['model_price'] = -1;
    charge['model_ratio'] = input;
    if (input > 0) charge['completion_ratio'] = ratioTo(output ?? 0, input);
  }
  const carry = (to: string, value: number | undefined) => {
    if (value !== undefined) charge[to] = value;
  };
  carry('group_ratio', number('group_ratio'));
  carry('frt', number('first_response'));
  carry('cache_tokens', number('cached_read_tokens') ?? number('cached_tokens'));
  carry('cache_ratio', number('cached_read_tokens_ratio') ?? number('cached_tokens_ratio'));
  carry('cache_creation_tokens', number('cached_write_tokens'));
  carry('cache_creation_ratio', number('cached_write_tokens_ratio'));
  return charge;
}
