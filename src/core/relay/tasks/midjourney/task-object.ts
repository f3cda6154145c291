import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import { parseJson } from '../../../kernel/json.ts';
import type { Midjourney } from '../../../storage/storage.ts';

/** A JSON text of the row; `otherwise` where it is empty. */
function stored(text: string, otherwise: JsonValue): JsonValue {
  return text === '' ? otherwise : ((parseJson(text) as JsonValue | undefined) ?? otherwise);
}

/** A row as clients of midjourney-proxy read it. */
export function taskObject(row: Midjourney, imageUrl: string): JsonObject {
  return {
    id: row.mjId,
    action: row.action,
    customId: '',
    botType: '',
    prompt: row.prompt,
    promptEn: row.promptEn,
    description: row.description,
    state: row.state,
    submitTime: row.submitTime,
    startTime: row.startTime,
    finishTime: row.finishTime,
    imageUrl,
    status: row.status,
    progress: row.progress,
    failReason: row.failReason,
    buttons: stored(row.buttons, []),
    maskBase64: '',
    properties: stored(row.properties, {}),
    ...(row.videoUrl !== '' && { videoUrl: row.videoUrl }),
    ...(row.videoUrls !== '' && { videoUrls: stored(row.videoUrls, []) }),
  };
}
