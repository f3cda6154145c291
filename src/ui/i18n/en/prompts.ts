import type { EnglishOf } from '../english-of.ts';
import type { prompts as zh } from '../zh/prompts.ts';

export const prompts = {
  'prompts.hint': 'Click one to insert it. Prompts are kept on the server, encrypted.',
  'prompts.empty': 'No prompts kept yet',
  'prompts.empty.text': 'Keep the prompts that you use often, and insert them anywhere.',
  'prompts.failed': 'The prompts could not be loaded',
  'prompts.new': 'New prompt',
  'prompts.keep': 'Keep what I wrote',
  'prompts.edit': 'Edit prompt',
  'prompts.edit.name': 'Edit “{{name}}”',
  'prompts.delete.name': 'Delete “{{name}}”',
  'prompts.delete.title': 'Delete this prompt?',
  'prompts.delete.text': 'Deletes “{{name}}”. It cannot be restored.',
  'prompts.delete.confirm': 'Delete prompt',
  'prompts.name': 'Name',
  'prompts.text': 'Text',
  'prompts.missing': 'Fill this in',
  'prompts.tooLong': 'At most {{max}} characters',
} as const satisfies EnglishOf<typeof zh>;
