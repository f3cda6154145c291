/**
 * Placeholders in header values: `{api_key}` and `{client_header:NAME}`
 * (docs/rules/channel-rules.md#header-override).
 */
import { isHeaderText } from '../../kernel/header-text.ts';
import { isPassableHeader } from './header-names.ts';
import type { RequestFacts } from './request-facts.ts';

const clientHeader = /\{client_header:([^{}]*)\}/g;

/**
 * Whether a template only refers to headers that may be forwarded; the caller's credential never
 * is.
 */
export function isValueTemplate(template: string): boolean {
  const names = [...template.matchAll(clientHeader)].map((match) =>
    (match[1] ?? '').trim().toLowerCase(),
  );
  return isHeaderText(template) && names.every((name) => name !== '' && isPassableHeader(name));
}

/**
 * Undefined if the caller did not send a header that the template uses, or if the result is not a
 * valid header value.
 */
export function fillValue(template: string, facts: RequestFacts): string | undefined {
  let missing = false;
  const filled = template
    .replace(clientHeader, (_, name: string) => {
      const value = facts.callerHeaders[name.trim().toLowerCase()];
      missing ||= value === undefined;
      return value ?? '';
    })
    .replaceAll('{api_key}', () => facts.key.reveal());
  return missing || !isHeaderText(filled) ? undefined : filled;
}

/**
 * The words of a template that stand in it as they are, such as a token of a proxy. Those that are
 * too short to be secret are left out.
 */
export function fixedWords(template: string): readonly string[] {
  return template.split(/\{[^{}]*\}|\s+/).filter((word) => word.length >= 8);
}
