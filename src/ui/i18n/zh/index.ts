/** The screens' own words, and the words all faces share for the numbers of the wire. */
import { vocabulary } from '../../../core/i18n/zh/vocabulary.ts';
import { common } from './common.ts';
import { shell } from './shell.ts';

export const zh = {
  ...vocabulary,
  ...common,
  ...shell,
} as const;
