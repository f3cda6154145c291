/** Why the router skipped a channel, as text. */
import { type Language, localize, type Text } from '../base/text.ts';

const texts: Readonly<Record<string, Text>> = {
  breaker: { en: 'circuit open', zh: '已熔断' },
  cool_down: { en: 'cooling down', zh: '限流中' },
  capability: { en: 'not supported', zh: '不支持此操作' },
};

/** The text of a reason code; other reasons are messages of the gateway and shown as they are. */
export function skipReasonText(reason: string, language: Language): string {
  const text = texts[reason];
  return text === undefined ? reason : localize(language, text);
}
