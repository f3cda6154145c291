import { columnDefaults } from './convert.ts';
import { defineFields } from './field.ts';

/** The fields of a row of the usage log (docs/rules/usage-logs.md#log-row). */
export const logFields = defineFields({
  id: { kind: 'integer', generated: true },
  user_id: { kind: 'integer', default: 0 },
  created_at: { kind: 'time', default: 0 },
  /** One of `logTypes`. */
  type: { kind: 'integer', default: 0 },
  content: { kind: 'text', default: '' },
  username: { kind: 'text', default: '' },
  token_name: { kind: 'text', default: '' },
  model_name: { kind: 'text', default: '' },
  quota: { kind: 'quota', default: 0 },
  prompt_tokens: { kind: 'integer', default: 0 },
  completion_tokens: { kind: 'integer', default: 0 },
  /** Whole seconds. */
  use_time: { kind: 'integer', default: 0 },
  is_stream: { kind: 'flag', default: false },
  channel_id: { kind: 'integer', default: 0, hidden: true },
  /** The same in replies, where only administrators see it. */
  channel: { kind: 'integer', stored: false },
  channel_name: { kind: 'text', stored: false },
  token_id: { kind: 'integer', default: 0 },
  group: { kind: 'text', default: '' },
  /** Text of a JSON object, or '' (contract/log-other.ts). */
  other: { kind: 'json', default: '' },
  request_id: { kind: 'text', default: '' },
  /** Comma-separated (docs/rules/tags.md). */
  tags: { kind: 'list', separator: ',', default: '' },
  /** The posting that charged the request. */
  ledger_id: { kind: 'integer', nullable: true, hidden: true },
});

/** A row that says nothing of a request. */
export const blankLog = columnDefaults(logFields);
