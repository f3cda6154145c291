/** Subtitle files from the segments of a transcription: SubRip and WebVTT. */
import type { TranscriptionReply } from '../../../canonical/calls.ts';
import { recordsOf } from '../../../canonical/kit/read-json.ts';

interface Cue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One cue over the whole length where the provider returned no segments. */
function cuesOf(reply: TranscriptionReply): readonly Cue[] {
  const cues = recordsOf(reply.segments).map((segment) => ({
    start: Number(segment['start'] ?? 0),
    end: Number(segment['end'] ?? 0),
    text: String(segment['text'] ?? '').trim(),
  }));
  return cues.length > 0 ? cues : [{ start: 0, end: reply.duration ?? 0, text: reply.text.trim() }];
}

/** `00:01:02,345`; the mark before the milliseconds differs. */
function timestamp(seconds: number, mark: string): string {
  const total = Math.max(0, Math.round(seconds * 1000));
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const clock = [two(total / 3_600_000), two((total / 60_000) % 60), two((total / 1000) % 60)].join(
    ':',
  );
  return `${clock}${mark}${String(total % 1000).padStart(3, '0')}`;
}

export function writeSubtitles(reply: TranscriptionReply, kind: 'srt' | 'vtt'): string {
  const mark = kind === 'srt' ? ',' : '.';
  const cues = cuesOf(reply).map(({ start, end, text }, position) => {
    const head = kind === 'srt' ? `${position + 1}\n` : '';
    return `${head}${timestamp(start, mark)} --> ${timestamp(end, mark)}\n${text}\n`;
  });
  return `${kind === 'vtt' ? 'WEBVTT\n\n' : ''}${cues.join('\n')}`;
}
