/**
 * Where images, audio and files stand in bodies of callers, in every format. A path is the names of
 * the members from the top, lists left out: `messages/content/image_url`
 * (docs/rules/metering.md#media-parts).
 */

const chat = ['image_url', 'input_audio', 'video_url', 'audio_url', 'file'].map(
  (name) => `messages/content/${name}`,
);
/** Where a chat has the images of an answer. */
export const answerImages = 'messages/images';
const messages = ['content', 'content/content', 'content/source/content'].map(
  (path) => `messages/${path}/source`,
);
const responses = ['content', 'output'].flatMap((list) =>
  ['image_url', 'input_audio', 'file_id', 'file_data', 'file_url'].map(
    (name) => `input/${list}/${name}`,
  ),
);
const gemini = [
  'contents/parts',
  'contents/parts/functionResponse/parts',
  'content/parts',
  'requests/content/parts',
].flatMap((list) =>
  ['inlineData', 'inline_data', 'fileData', 'file_data'].map((name) => `${list}/${name}`),
);
const calls = ['input/image_url', 'input/image', 'input/result', 'documents/image', 'query/image'];
const images = [
  'image',
  'mask',
  'images',
  'image/image_url',
  'mask/image_url',
  'images/image_url',
  'images/file_id',
];

const parts: ReadonlySet<string> = new Set([
  ...chat,
  ...messages,
  ...responses,
  ...gemini,
  ...calls,
  ...images,
  `${answerImages}/image_url`,
]);

/** The last names of all paths: other names are no media, wherever they stand. */
export const partNames: ReadonlySet<string> = new Set(
  [...parts].map((path) => path.slice(path.lastIndexOf('/') + 1)),
);

/**
 * Whether a member stands for an image, a recording or a file, given by its data, address or id.
 */
export function isMediaPart(path: string): boolean {
  return parts.has(path);
}

/** Whether a text at this path is the data of such a part. */
export function isMediaData(path: string): boolean {
  if (parts.has(path)) return true;
  const end = path.lastIndexOf('/');
  return (
    end !== -1 &&
    /^(url|data|file_data)$/.test(path.slice(end + 1)) &&
    parts.has(path.slice(0, end))
  );
}

/** Parts whose data may be text; a media type beside it decides. */
export function needsMediaType(path: string): boolean {
  return /(source|inlineData|inline_data)\/data$/.test(path);
}

/**
 * Thinking that only its vendor can read: signatures and encrypted items that callers send back.
 */
const sealed: ReadonlySet<string> = new Set([
  ...['signature', 'data'].map((name) => `messages/content/${name}`),
  ...['messages', 'messages/provider_specific_fields'].flatMap((place) =>
    ['signature', 'data'].map((name) => `${place}/reasoning_details/${name}`),
  ),
  'messages/thinking_blocks/signature',
  'input/encrypted_content',
  ...['thoughtSignature', 'thought_signature'].map((name) => `contents/parts/${name}`),
]);

export function isSealed(path: string): boolean {
  return sealed.has(path);
}

const turnTexts: ReadonlySet<string> = new Set([
  ...['messages', 'input'].flatMap((turns) => [`${turns}/content`, `${turns}/content/text`]),
  'contents/parts/text',
]);

/** Whether a text at this path is what somebody said in a conversation. */
export function isTurnText(path: string): boolean {
  return turnTexts.has(path);
}
