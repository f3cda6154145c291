import type { EnglishOf } from '../english-of.ts';
import type { setting as zh } from '../zh/setting.ts';

export const setting: EnglishOf<typeof zh> = {
  'setting.title': 'Settings',
  'setting.subtitle': 'They apply to the whole site.',
  'setting.log.prune': 'Delete old logs',
  'setting.failed': 'Could not load the settings',
  'setting.sections': 'Sections of this page',
  'setting.switches': 'Switches save at once.',
  'setting.switches.some': 'Switches save at once; other changes are saved at the foot of the page.',
  'setting.bar': 'Unsaved changes',
  'setting.discard': 'Discard changes',
  'setting.saved_one': '{{count}} setting saved',
  'setting.saved_other': '{{count}} settings saved',
  'setting.checkInput': 'Please check the input',
  'setting.secret.clear': 'Clear {{name}}',
  'setting.secret.clearing': '{{name}} is cleared when you save',
  'setting.secret.keep': 'Keep it',
  'setting.choice.hour': 'Hour',
  'setting.choice.day': 'Day',
  'setting.choice.week': 'Week',
  'setting.choice.zh': 'Chinese',
  'setting.choice.en': 'English',
  'setting.quotaPerUnit.title': 'Change the quota per unit?',
  'setting.quotaPerUnit.text': 'All balances and prices are shown in the new unit at once; the stored quota stays as it is.',
  'setting.quotaPerUnit.confirm': 'Change quota per unit',
};
