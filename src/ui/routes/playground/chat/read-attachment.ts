/**
 * Makes a file of the reader ready to be sent: pictures are made smaller and lose what the camera
 * wrote into them (where they were taken), other kinds are checked. Loaded with the first file.
 */
import type { AttachedFile, AttachmentKind } from './attachment.ts';
import { roughTokens } from './message.ts';

/** Why a file cannot be sent. */
export type AttachmentProblem = 'tooLarge' | 'unreadable';

export class AttachmentError extends Error {
  readonly problem: AttachmentProblem;
  constructor(problem: AttachmentProblem) {
    super(problem);
    this.name = 'AttachmentError';
    this.problem = problem;
  }
}

const megabyte = 1024 * 1024;
const most: Readonly<Record<AttachmentKind, number>> = {
  image: 40 * megabyte,
  audio: 10 * megabyte,
  pdf: 10 * megabyte,
  text: megabyte,
};
/** Pixels of the longer side; more is made smaller by the models themselves. */
const longestSide = 2048;
/** Pictures with sharp edges stay PNG up to here. */
const mostPng = 1.5 * megabyte;
const white = '#fff';

const audioTypes: Readonly<Record<string, string>> = {
  'audio/mpeg': 'audio/mpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/wav': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
};

function kindOf({ type, name }: File): AttachmentKind {
  if (type.startsWith('image/') && type !== 'image/svg+xml') return 'image';
  if (audioTypes[type] !== undefined) return 'audio';
  return type === 'application/pdf' || /\.pdf$/i.test(name) ? 'pdf' : 'text';
}

/** Throws AttachmentError. */
export async function readAttachment(file: File): Promise<AttachedFile> {
  const kind = kindOf(file);
  if (file.size > most[kind]) throw new AttachmentError('tooLarge');
  const content =
    kind === 'text'
      ? await readText(file)
      : kind === 'image'
        ? await readImage(file)
        : await asDataUri(file, kind === 'pdf' ? 'application/pdf' : (audioTypes[file.type] ?? ''));
  const tokens = kind === 'text' ? roughTokens(content) : 0;
  return { id: crypto.randomUUID(), name: file.name, kind, tokens, content };
}

async function readText(file: File): Promise<string> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (!text.includes('\0') && text.trim() !== '') return text;
  } catch {
    // Of another encoding, or no text.
  }
  throw new AttachmentError('unreadable');
}

async function readImage(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new AttachmentError('unreadable');
  });
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new AttachmentError('unreadable');
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  if (file.type !== 'image/jpeg') {
    const png = await asBlob(canvas, 'image/png');
    if (png.size <= mostPng) return asDataUri(png, 'image/png');
  }
  // JPEG has no transparency.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = white;
  context.fillRect(0, 0, canvas.width, canvas.height);
  return asDataUri(await asBlob(canvas, 'image/jpeg'), 'image/jpeg');
}

const asBlob = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob === null ? reject(new AttachmentError('unreadable')) : resolve(blob);
    canvas.toBlob(done, type, 0.9);
  });

const asDataUri = (blob: Blob, type: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new AttachmentError('unreadable'));
    reader.readAsDataURL(new Blob([blob], { type }));
  });
