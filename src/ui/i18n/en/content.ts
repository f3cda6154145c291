import type { EnglishOf } from '../english-of.ts';
import type { content as zh } from '../zh/content.ts';

export const content: EnglishOf<typeof zh> = {
  'content.failed': 'The content could not be loaded',
  'content.version': 'Turnpike {{version}}',
  'content.about.empty': 'Nothing about this site yet',
  'content.about.empty.text': 'The administrator has not written anything.',
  'content.about.empty.root': 'Write it in the settings, on the tab “Other”.',
  'content.notice.close': 'Got it',
  'content.notice.empty': 'There is no notice now.',
  'content.preview': 'Preview',
  'content.preview.hide': 'Hide preview',
  'content.preview.of': 'Preview: {{name}}',
  'content.preview.empty': 'Empty: nothing is shown.',
  'content.preview.footer': 'Empty: the default sentence is shown.',
  'content.logo.broken': 'This image address cannot be shown.',
  'content.system': 'System',
  'content.system.version': 'Version',
  'content.system.started': 'Started',
  'content.update.check': 'Check for update',
  'content.update.latest': 'This is the latest version: {{version}}',
  'content.update.title': 'New version: {{version}}',
  'content.update.current': 'This site runs {{version}}.',
  'content.update.noNotes': 'This release has no notes.',
  'content.update.failed': 'Check for update failed, try again later',
};
