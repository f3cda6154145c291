import type { EnglishOf } from '../english-of.ts';
import type { chatRedirect as zh } from '../zh/chat-redirect.ts';

export const chatRedirect = {
  'redirect.title': 'Open chat',
  'redirect.waiting': 'Redirecting',
  'redirect.noToken':
    'There is currently no enabled token, please confirm whether any token is enabled',
  'redirect.parse': 'Failed to parse chat data',
  'redirect.missing': 'There is no such chat app',
  'redirect.missing.text': 'The administrator has not set it up, or its address cannot be opened.',
  'redirect.tokens': 'Go to API tokens',
  'redirect.app': 'Open {{name}}',
  'redirect.app.text': '{{name}} is an app on this computer. The browser asks before it opens it.',
} as const satisfies EnglishOf<typeof zh>;
