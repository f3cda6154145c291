import { translate } from '../../src/core/i18n/translate.ts';
import { type ErrorCode, type ErrorSpec, errorTable } from '../../src/core/kernel/errors.ts';
import { code, generatedNote, table } from './markdown.ts';

/** docs/errors.md: every code with its status, whether it is final and its words in both languages. */
export function errorsDocument(): string {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const rows = codes.map((name) => {
    const spec: ErrorSpec = errorTable[name];
    const words = `error.${name}` as const;
    return [
      code(name),
      String(spec.status),
      spec.final ? 'yes' : '',
      spec.local ? 'request or site' : 'upstream',
      translate('en', words),
      translate('zh', words),
    ];
  });
  return [
    generatedNote,
    '# Errors',
    '',
    'Relay routes answer with the status given. Console calls under `/api` answer 200 with `success: false` for most of them and',
    'tell the code in `code`; sign-in failures, refusals of foreign sites and rate limits keep their status.',
    'Relay replies to *final* errors carry `x-should-retry: false`: repeating is useless. Texts are shown without their details.',
    '',
    table(['Code', 'Status', 'Final', 'Fault of', 'English', '中文'], rows),
    '',
  ].join('\n');
}
