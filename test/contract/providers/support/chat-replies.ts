/** Reads the content of chat completions replies. */
import type { ClientReply } from './case.ts';

export interface CallsOf {
  readonly choices: readonly {
    readonly message: { readonly content?: string; readonly tool_calls?: readonly object[] };
    readonly finish_reason: string;
  }[];
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string; readonly reasoning_content?: string };
    readonly finish_reason?: string | null;
  }[];
}

function joined({ events }: ClientReply, field: 'content' | 'reasoning_content'): string {
  return events.map((event) => (event as Chunk).choices?.[0]?.delta?.[field] ?? '').join('');
}

/** The text of a stream. */
export function contentOf(reply: ClientReply): string {
  return joined(reply, 'content');
}

export function reasoningOf(reply: ClientReply): string {
  return joined(reply, 'reasoning_content');
}

/** The finish reason of a stream. */
export function finishOf({ events }: ClientReply): string | undefined {
  return events.flatMap((event) => (event as Chunk).choices?.[0]?.finish_reason ?? []).at(-1);
}

export function errorIn({ json }: ClientReply): {
  readonly message: string;
  readonly type: string;
  readonly code: unknown;
} {
  return (json as { readonly error: { message: string; type: string; code: unknown } }).error;
}
