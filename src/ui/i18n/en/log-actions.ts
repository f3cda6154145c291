import type { EnglishOf } from '../english-of.ts';
import type { logActions as zh } from '../zh/log-actions.ts';

export const logActions: EnglishOf<typeof zh> = {
  'log.export.title': 'Export usage logs',
  'log.export.text': 'Exports all logs that the filters select, newest first.',
  'log.export.format': 'Format',
  'log.export.csv': 'CSV table',
  'log.export.jsonl': 'JSON lines, one log per line',
  'log.export.bom': 'For Excel (adds a UTF-8 mark)',
  'log.export.start': 'Export',
  'log.export.starting': 'Preparing',
  'log.export.progress': '{{rows}} of {{total}} logs',
  'log.export.label': 'Export progress',
  'log.export.done': 'Saved {{name}}',
  'log.export.failed': 'Export failed',
  'log.prune.title': 'Delete old logs',
  'log.prune.text':
    'Logs are deleted in the background without slowing requests. Ledger and statements stay.',
  'log.prune.before': 'Delete logs before',
  'log.prune.count_one': '{{n}} log',
  'log.prune.count_other': '{{n}} logs',
  'log.prune.question_one': 'Delete {{n}} log?',
  'log.prune.question_other': 'Delete {{n}} logs?',
  'log.prune.effect':
    'All logs of all users before {{time}} are deleted for good. Balances and the ledger stay as they are.',
  'log.prune.confirm_one': 'Delete {{n}} log',
  'log.prune.confirm_other': 'Delete {{n}} logs',
  'log.prune.running': 'Deleting logs before {{time}}. This continues if you close the window.',
  'log.prune.progress': '{{deleted}} of {{total}} deleted',
  'log.prune.label': 'Deletion progress',
  'log.prune.required': 'Select the log retention time',
  'log.prune.future': 'Must not be in the future',
  'log.prune.stop': 'Stop deleting',
  'log.prune.done_one': '{{n}} log deleted',
  'log.prune.done_other': '{{n}} logs deleted',
  'log.prune.failed': 'Log cleanup failed',
};
