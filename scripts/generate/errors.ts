import { translate } from '../../src/core/i18n/translate.ts';
import { type ErrorCode, type ErrorSpec, errorTable } from '../../src/core/kernel/errors.ts';
import { code, generatedNote, table } from './markdown.ts';

/**
 * docs/errors.md: every code with its status, whether it is final, and its message in both
 * languages.
 */
export function errorsDocument(): string {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const rows = codes.map((name) => {
    const spec: ErrorSpec = errorTable[name];
    const message = `error.${name}` as const;
    return [
      code(name),
      String(spec.status),
      spec.final ? 'yes' : '',
      spec.local ? 'request or site' : 'upstream',
      translate('en', message),
      translate('zh', message),
    ];
  });
  return [
    generatedNote,
    '# Errors',
    '',
    'Relay routes reply with the given status. Console calls under `/api` reply to most of them with status 200, `success: false` and',
    'the code in `code`; sign-in failures, refused cross-site requests and rate limits keep their status.',
    'Relay replies with *final* errors contain `x-should-retry: false`: a retry is useless. Messages are shown without parameters.',
    '',
    table(['Code', 'Status', 'Final', 'Caused by', 'English', '中文'], rows),
    '',
  ].join('\n');
}
