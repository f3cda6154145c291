/**
 * `custom_parameter` of one-hub's channels as our `param_override` (providers/openai/base.go,
 * relay/common.go, 2026-02-20).
 */
import { isObject, type JsonValue } from '../../kernel/json.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Members that are no fields of a request. */
const notFields: ReadonlySet<string> = new Set(['stream', 'overwrite', 'per_model', 'pre_add']);

interface Operation {
  readonly mode: 'set';
  readonly path: string;
  readonly value: JsonValue;
  readonly keep_origin?: true;
  readonly conditions?: readonly [{ path: string; mode: 'full'; value: string }];
}

/** The text of a channel's `param_override`; '' where there is none. */
export function overrideOf(parameters: Parameters): string {
  const replaces = parameters['overwrite'] === true;
  const fieldsOf = (fields: Parameters) =>
    Object.entries(fields).filter(([name]) => !notFields.has(name));
  const set = (fields: Parameters, conditions?: Operation['conditions']): Operation[] =>
    fieldsOf(fields).map(([name, value]) => ({
      mode: 'set',
      path: name.replace(/[\\.]/g, '\\$&'),
      value: value as JsonValue,
      ...(replaces ? {} : { keep_origin: true as const }),
      ...(conditions === undefined ? {} : { conditions }),
    }));
  if (parameters['per_model'] !== true) {
    const fields = fieldsOf(parameters);
    if (fields.length === 0) return '';
    return JSON.stringify(
      replaces && !('operations' in parameters)
        ? Object.fromEntries(fields)
        : { operations: set(parameters) },
    );
  }
  // Before a request is read, its name is that of the caller.
  const path = parameters['pre_add'] === true ? 'original_model' : 'upstream_model';
  const operations = fieldsOf(parameters).flatMap(([model, fields]) =>
    isObject(fields) ? set(fields, [{ path, mode: 'full', value: model }]) : [],
  );
  return operations.length === 0 ? '' : JSON.stringify({ operations });
}
