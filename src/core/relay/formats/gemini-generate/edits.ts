/** Edits of a generateContent body that is passed through. */

import { missingSignature } from '../../../canonical/models/gemini.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { isList } from '../../../upstream/rules/json-path.ts';
import type { BodyEdits, FieldReader, RequestBody } from '../../body/request-body.ts';
import { editList, editMember } from '../shared/edit-lists.ts';

/** The prompt becomes the first part of the system instruction. */
export function systemPromptEdits(field: FieldReader, prompt: string, always: boolean): BodyEdits {
  const name =
    field('system_instruction') === undefined ? 'systemInstruction' : 'system_instruction';
  const own = field(name);
  const parts = isObject(own) && isList(own.parts) ? own.parts : [];
  if (own !== undefined && own !== null && !always) return {};
  return {
    [name]: { ...(isObject(own) ? (own as JsonObject) : {}), parts: [{ text: prompt }, ...parts] },
  };
}

/**
 * Every call gets the value that Google documents for calls without a signature; where none is
 * required it is ignored.
 */
export function withoutSignatures(body: RequestBody, messages?: number): BodyEdits {
  const contents = body.get('contents');
  const strip = (content: JsonObject) =>
    editMember(content, 'parts', (part) => {
      const { thoughtSignature, thought_signature, ...others } = part;
      const isCall = part.functionCall !== undefined || part.function_call !== undefined;
      if (isCall)
        return thoughtSignature === missingSignature
          ? part
          : { ...others, thoughtSignature: missingSignature };
      return thoughtSignature === undefined && thought_signature === undefined ? part : others;
    });
  const stripped = editList(contents, strip, messages);
  return stripped === contents ? {} : { contents: stripped };
}
