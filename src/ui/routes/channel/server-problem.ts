/** Where in the form a refusal of the server belongs (docs/rules/channels.md#channel-fields). */
import { CallError } from '../../../core/contract/envelope.ts';
import type { ErrorCode } from '../../../core/kernel/errors.ts';
import type { ChannelValues } from './channel-form.ts';

export interface ServerProblem {
  readonly field: keyof ChannelValues;
  /** The place in the setting, `header_override.X-Title`; empty where there is none. */
  readonly inSetting: string;
  readonly message: string;
}

const fieldOfCode: Partial<Record<ErrorCode, keyof ChannelValues>> = {
  channel_base_url_required: 'base_url',
  channel_region_required: 'other',
  channel_other_required: 'other',
  channel_models_required: 'models',
  channel_name_and_key_required: 'key',
  invalid_channel_key: 'key',
  model_name_too_long: 'models',
  model_mapping_cycle: 'model_mapping',
};

/** The path of a field as the server writes it into its message. */
const path = /(model_mapping|status_code_mapping|param_override|setting|base_url|group)((?:\.[^\s:：]+)?)/;

/** Undefined: it is about no field of the form. */
export function readServerProblem(error: unknown): ServerProblem | undefined {
  if (!(error instanceof CallError)) return undefined;
  const { message } = error;
  const known = error.code === undefined ? undefined : fieldOfCode[error.code];
  if (known !== undefined) return { field: known, inSetting: '', message };
  if (error.code !== 'channel_rule_invalid' && error.code !== 'json_object_required' && error.code !== 'invalid_parameter')
    return undefined;
  const [, field, place = ''] = path.exec(message) ?? [];
  if (field === undefined) return undefined;
  return { field: field as keyof ChannelValues, inSetting: field === 'setting' ? place.slice(1) : '', message };
}
