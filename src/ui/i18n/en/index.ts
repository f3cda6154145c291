/** The screens' own words, and the words all faces share for the numbers of the wire. */
import { vocabulary } from '../../../core/i18n/en/words.ts';
import { channel } from './channel.ts';
import { common } from './common.ts';
import { detail } from './detail.ts';
import { log } from './log.ts';
import { setting } from './setting.ts';
import { shell } from './shell.ts';
import { token } from './token.ts';

export const en = {
  ...vocabulary,
  ...common,
  ...shell,
  ...detail,
  ...channel,
  ...token,
  ...log,
  ...setting,
} as const;
