/** The screens' own words, and the words all faces share for the numbers of the wire. */
import { vocabulary } from '../../../core/i18n/en/vocabulary.ts';
import { common } from './common.ts';
import { shell } from './shell.ts';

export const en = {
  ...vocabulary,
  ...common,
  ...shell,
} as const;
