import {
  type Language,
  type MessageKey,
  type MessageParams,
  translate,
} from '../i18n/translate.ts';
import { escapeHtml } from '../notices/notice.ts';

type MailKey = MessageKey extends infer Key
  ? Key extends `mail.${string}.body`
    ? Key
    : never
  : never;
type MailName = MailKey extends `${infer Name}.body` ? Name & MessageKey : never;

/** Subject and body of a mail to a user. In the body values are escaped. */
export function mailText(
  language: Language,
  name: MailName,
  values: MessageParams,
): { subject: string; html: string } {
  const escaped = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, escapeHtml(String(value))]),
  );
  return {
    subject: translate(language, name, values),
    html: translate(language, `${name}.body`, escaped),
  };
}
