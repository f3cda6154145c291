/**
 * Texts with parameters and plurals, looked up by i18next: `{{name}}` is replaced by a value;
 * `_one` and `_other` are chosen by `count`.
 */
import { createInstance } from 'i18next';
import type { Language } from '../../core/vocabulary/languages.ts';
import type { account } from './zh/account.ts';
import type { audit } from './zh/audit.ts';
import type { budget } from './zh/budget.ts';
import type { bulk } from './zh/bulk.ts';
import type { channel } from './zh/channel.ts';
import type { channelForm } from './zh/channel-form.ts';
import type { chatRedirect } from './zh/chat-redirect.ts';
import type { content } from './zh/content.ts';
import type { detail } from './zh/detail.ts';
import type { emailCode } from './zh/email-code.ts';
import type { identities } from './zh/identities.ts';
import type { zh } from './zh/index.ts';
import type { log } from './zh/log.ts';
import type { logActions } from './zh/log-actions.ts';
import type { modelManagement } from './zh/model-management.ts';
import type { models } from './zh/models.ts';
import type { node } from './zh/node.ts';
import type { palette } from './zh/palette.ts';
import type { personal } from './zh/personal.ts';
import type { phone } from './zh/phone.ts';
import type { playground } from './zh/playground.ts';
import type { prices } from './zh/prices.ts';
import type { pricing } from './zh/pricing.ts';
import type { quickStart } from './zh/quick-start.ts';
import type { receipt } from './zh/receipt.ts';
import type { redemption } from './zh/redemption.ts';
import type { register } from './zh/register.ts';
import type { reset } from './zh/reset.ts';
import type { secondFactor } from './zh/second-factor.ts';
import type { setting } from './zh/setting.ts';
import type { setup } from './zh/setup.ts';
import type { square } from './zh/square.ts';
import type { statement } from './zh/statement.ts';
import type { taskLog } from './zh/task-log.ts';
import type { token } from './zh/token.ts';
import type { topup } from './zh/topup.ts';
import type { upload } from './zh/upload.ts';
import type { user } from './zh/user.ts';
import type { video } from './zh/video.ts';

type Texts = typeof zh &
  typeof audit &
  typeof account &
  typeof budget &
  typeof bulk &
  typeof channel &
  typeof channelForm &
  typeof chatRedirect &
  typeof content &
  typeof log &
  typeof setting &
  typeof setup &
  typeof token &
  typeof detail &
  typeof emailCode &
  typeof identities &
  typeof logActions &
  typeof modelManagement &
  typeof models &
  typeof node &
  typeof palette &
  typeof personal &
  typeof phone &
  typeof playground &
  typeof prices &
  typeof pricing &
  typeof receipt &
  typeof redemption &
  typeof register &
  typeof reset &
  typeof secondFactor &
  typeof square &
  typeof quickStart &
  typeof statement &
  typeof taskLog &
  typeof topup &
  typeof upload &
  typeof user &
  typeof video;
type ParameterOf<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;
/** The parameters of each text. The forms of a plural share one name. */
type TextParameters = {
  [K in keyof Texts as K extends `${infer Stem}_other` ? Stem : K]: ParameterOf<Texts[K]>;
};
type TextName = keyof TextParameters;
type TextValues<Name extends string> = Readonly<Record<Name, string | number>>;
type ValuesOf<Name extends TextName> = [TextParameters[Name]] extends [never]
  ? []
  : [values: TextValues<TextParameters[Name]> & { readonly count?: number }];

/** Keys of texts that take no parameter: what tables of labels may hold. */
export type TextKey = {
  [K in keyof Texts]: Texts[K] extends `${string}{{${string}`
    ? never
    : K extends `${string}_other`
      ? never
      : K;
}[keyof Texts];

/** The text of a key in one language. */
export type Translate = <Name extends TextName>(key: Name, ...values: ValuesOf<Name>) => string;

/** Texts by key, plural forms with their suffix. A key without a text is returned as it is. */
export function translatorOf(
  language: Language,
  texts: Readonly<Record<string, string>>,
): Translate {
  const translator = createInstance({
    lng: language,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    // The texts are loaded already.
    initAsync: false,
    // React escapes.
    interpolation: { escapeValue: false },
    resources: { [language]: { translation: texts } },
  });
  void translator.init();
  // Keys and parameters are checked by `Translate`.
  const lookUp = translator.t as (key: string, values: object) => string;
  return (key, ...[values]) => lookUp(key, { ...values });
}
