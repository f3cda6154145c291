import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import { isList } from '../../../upstream/rules/json-path.ts';
import type { BodyEdits, RequestBody } from '../../body/request-body.ts';
import { editList } from '../shared/edit-lists.ts';

/**
 * Takes out the encrypted reasoning, and the ids of all items, which refer to the reasoning they
 * came with.
 */
export function withoutEncryptedReasoning(
  body: RequestBody,
  messages = Number.POSITIVE_INFINITY,
): BodyEdits {
  const input = body.get('input');
  const isEncrypted = (item: JsonValue) =>
    isObject(item) && item.type === 'reasoning' && typeof item.encrypted_content === 'string';
  if (!isList(input) || !input.slice(0, messages).some(isEncrypted)) return {};
  const strip = ({ id: _, ...item }: JsonObject) => (isEncrypted(item) ? undefined : item);
  return { input: editList(input, strip, messages) };
}
