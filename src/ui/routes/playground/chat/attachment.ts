/** Files that a message of the reader brings along (docs/rules/console.md#chat-attachments). */

export type AttachmentKind = 'image' | 'audio' | 'pdf' | 'text';

/** What a message keeps of a file. Its content stands in the browser's database. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly kind: AttachmentKind;
  /** Rough; 0: what it takes is not known before it is sent. */
  readonly tokens: number;
}

export interface AttachedFile extends Attachment {
  /** The text, or a `data:` URI. */
  readonly content: string;
}

/** Of one message. */
export const mostAttachments = 8;

/** Whether a model takes files of a kind. Nothing is known of `reads`: it may. */
export function takes(kind: AttachmentKind, reads: readonly string[]): boolean {
  if (kind === 'text' || reads.length === 0) return true;
  return reads.includes(kind === 'pdf' ? 'file' : kind);
}

/** A part of a message as OpenAI's chat has them. */
export type WirePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | {
      readonly type: 'input_audio';
      readonly input_audio: { readonly data: string; readonly format: string };
    }
  | {
      readonly type: 'file';
      readonly file: { readonly filename: string; readonly file_data: string };
    };

/** A fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

export function partOf({ kind, name, content }: AttachedFile): WirePart {
  if (kind === 'image') return { type: 'image_url', image_url: { url: content } };
  if (kind === 'pdf') return { type: 'file', file: { filename: name, file_data: content } };
  if (kind === 'text') return { type: 'text', text: `${name}:\n${fenced(content)}` };
  const [head = '', data = ''] = content.split(';base64,');
  const format = head === 'data:audio/mpeg' ? 'mp3' : 'wav';
  return { type: 'input_audio', input_audio: { data, format } };
}

const isKind = (kind: unknown): kind is AttachmentKind =>
  kind === 'image' || kind === 'audio' || kind === 'pdf' || kind === 'text';

/** Of a stored message. */
export function readAttachments(value: unknown): readonly Attachment[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: Partial<Record<string, unknown>> | null) => {
    const { id, name, kind, tokens } = entry ?? {};
    if (typeof id !== 'string' || typeof name !== 'string' || !isKind(kind)) return [];
    return [{ id, name, kind, tokens: Number(tokens) || 0 }];
  });
}
