/** Placeholders in header values: `{api_key}` and `{client_header:NAME}` (spec, relay 12). */
import { isHeaderText, isPassableHeader } from './header-names.ts';
import type { RequestFacts } from './request-facts.ts';

const clientHeader = /\{client_header:([^{}]*)\}/g;

/** Whether a template only asks for headers that may travel: the caller's credential never does. */
export function isValueTemplate(template: string): boolean {
  const names = [...template.matchAll(clientHeader)].map((match) => (match[1] ?? '').trim().toLowerCase());
  return isHeaderText(template) && names.every((name) => name !== '' && isPassableHeader(name));
}

/** Undefined where the caller sent none of a header that the template needs, and for text that no header can carry. */
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
