/**
 * What a messages body holds that clouds hosting Claude cannot read
 * (docs/rules/providers.md#bedrock-claude).
 */

import { recordsOf } from '../../canonical/kit/read-json.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import { isObject } from '../../kernel/json.ts';

function namesAddress(block: Record<string, unknown>): boolean {
  if (isObject(block.source) && block.source.type === 'url') return true;
  return recordsOf(block.content).some(namesAddress);
}

/**
 * Whether an image or document is given by its address: such a body needs the translation, which
 * fetches it.
 */
export function hasAddressSources(fields: BodyFields): boolean {
  if (fields.contains?.('"url"') === false) return false;
  return recordsOf(fields.get('messages')).some((message) =>
    recordsOf(message.content).some(namesAddress),
  );
}
