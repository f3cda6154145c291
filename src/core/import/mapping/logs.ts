import { isObject, parseJson } from '../../kernel/json.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import { toInteger, toTrimmed } from '../convert.ts';
import type { TableMapping } from './mapping.ts';

const knownTypes: ReadonlySet<number> = new Set(Object.values(logTypes));
/** One API's type of channel tests; New API uses the number for errors, as we do. */
const oneApiTest = 5;

export const logsMapping: TableMapping = {
  source: 'logs',
  target: 'logs',
  columns: {
    id: { as: 'integer' },
    user_id: { as: 'integer' },
    created_at: { as: 'integer' },
    type: { as: 'int32' },
    content: { as: 'text' },
    username: { as: 'trimmed' },
    token_name: { as: 'trimmed' },
    model_name: { as: 'trimmed' },
    quota: { as: 'integer' },
    prompt_tokens: { as: 'integer' },
    completion_tokens: { as: 'integer' },
    use_time: { as: 'integer' },
    is_stream: { as: 'flag' },
    channel_id: { as: 'integer' },
    token_id: { as: 'integer' },
    group: { as: 'trimmed' },
    other: { as: 'json' },
    request_id: { as: 'trimmed' },
  },
  // channel_name was never written.
  alsoRead: ['channel_name', 'elapsed_time', 'ip'],
  same: ['user_id', 'created_at'],
  figures: ['quota', 'prompt_tokens', 'completion_tokens'],
  user: 'user_id',
  refine({ family }, notes) {
    return (draft, source) => {
      const type = Number(draft['type']);
      if ((family === 'oneapi' && type === oneApiTest) || !knownTypes.has(type)) {
        draft['type'] = logTypes.system;
        notes.add('log_type_changed', `${draft['id']}: ${type}`);
      }
      if (family === 'oneapi')
        draft['use_time'] = Math.floor(toInteger(source['elapsed_time']) / 1000);
      const ip = toTrimmed(source['ip']);
      if (ip !== '') {
        const other = parseJson(String(draft['other']));
        draft['other'] = JSON.stringify({ ...(isObject(other) ? other : {}), ip });
      }
      return { row: draft };
    };
  },
};
