import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import { parseJson } from '../../../kernel/json.ts';
import type { Midjourney } from '../../../storage/storage.ts';
import { imageAddress } from '../../../tasks/drawing-image.ts';

/** A JSON text of the row; `otherwise` where it is empty. */
function stored(text: string, otherwise: JsonValue): JsonValue {
  return text === '' ? otherwise : ((parseJson(text) as JsonValue | undefined) ?? otherwise);
}

/** A row as clients of midjourney-proxy read it. `imagesAt` and `now`: see {@link imageAddress}. */
export function taskObject(row: Midjourney, imagesAt: string | undefined, now: number): JsonObject {
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
    imageUrl: imageAddress(row, imagesAt, now),
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
