/**
 * Parts of a Gemini answer that are the same streamed and whole
 * (docs/rules/providers.md#gemini-replies).
 */

import type { ProviderError } from '../../canonical/chat-reply.ts';
import { errorFromBody } from '../../canonical/kit/failure.ts';
import { finishFromGemini } from '../../canonical/kit/finish-reasons.ts';
import { type Loose, listOf, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { JsonObject } from '../../kernel/json.ts';

/**
 * A part's text for readers of text: code the model ran and its output as fenced blocks, files as
 * links.
 */
export function partText(part: Loose): string | undefined {
  const text = textOf(part.text);
  if (text !== undefined) return text;
  const code = recordOf(part.executableCode);
  if (code !== undefined)
    return `\n\`\`\`${String(code.language ?? '').toLowerCase()}\n${textOf(code.code) ?? ''}\n\`\`\`\n`;
  const result = recordOf(part.codeExecutionResult);
  if (result !== undefined) return `\n\`\`\`output\n${textOf(result.output) ?? ''}\n\`\`\`\n`;
  const file = recordOf(part.fileData);
  const uri = textOf(file?.fileUri);
  return uri === undefined ? undefined : `[${textOf(file?.mimeType) ?? 'file'}](${uri})`;
}

/** The text that a part adds to the reply. */
export function answerText(part: Loose): string {
  return part.thought === true ? '' : (partText(part) ?? '');
}

interface InlineMedia {
  readonly mediaType: string;
  readonly data: string;
}

/** Images generated while thinking are not part of the reply. */
export function partMedia(part: Loose): InlineMedia | undefined {
  if (part.thought === true) return undefined;
  const inline = recordOf(part.inlineData) ?? recordOf(part.inline_data);
  const data = textOf(inline?.data);
  if (data === undefined) return undefined;
  return { mediaType: textOf(inline?.mimeType) ?? textOf(inline?.mime_type) ?? 'image/png', data };
}

function readLogprob({ token, logProbability }: Loose): JsonObject[] {
  if (typeof token !== 'string' || typeof logProbability !== 'number') return [];
  return [{ token, logprob: logProbability, bytes: [...Buffer.from(token)] }];
}

/** Log probabilities as chat has them: the tokens chosen, each with what stood to choose. */
export function candidateLogprobs(candidate: Loose): JsonObject | undefined {
  const result = recordOf(candidate.logprobsResult);
  const top = listOf(result?.topCandidates).map((step) =>
    recordsOf(recordOf(step)?.candidates).flatMap(readLogprob),
  );
  const content = recordsOf(result?.chosenCandidates).flatMap((chosen, step) =>
    readLogprob(chosen).map((token) => ({ ...token, top_logprobs: top[step] ?? [] })),
  );
  return content.length === 0 ? undefined : { content, refusal: null };
}

const brokenFinishes: ReadonlySet<string | undefined> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
]);

/** Finish reasons of a failed generation: an error where nothing was produced. */
export const isBrokenFinish = (raw: string | undefined): boolean => brokenFinishes.has(raw);

export function brokenFinish(candidate: Loose): ProviderError {
  return {
    status: 502,
    code: textOf(candidate.finishReason),
    message: textOf(candidate.finishMessage),
  };
}

/** The explanation of an answer that was refused. */
export function refusalOf(candidate: Loose): string | undefined {
  const raw = textOf(candidate.finishReason) ?? 'STOP';
  return finishFromGemini(raw) === 'content-filter' ? textOf(candidate.finishMessage) : undefined;
}

/** Why the prompt was refused, where it was. */
export function blockReason(reply: Loose): string | undefined {
  return textOf(recordOf(reply.promptFeedback)?.blockReason);
}

/** The error of a prompt that was refused; the same streamed and whole. */
export function blockedPrompt(reason: string): ProviderError {
  return { status: 400, code: 'prompt_blocked', message: `The prompt was blocked: ${reason}` };
}

/** Google's error object: the status word is its code, the number its HTTP status. */
export function geminiError(raw: unknown): ProviderError {
  const root = recordOf(Array.isArray(raw) ? raw[0] : raw);
  const error = errorFromBody(raw);
  const word = textOf(recordOf(root?.error)?.status);
  const badKey = error.message?.includes('API key not valid') === true;
  if (badKey) return { ...error, status: 401, code: word, accountFault: true };
  return { ...error, code: word ?? error.code };
}

/** What an image counts where no usage came with it. */
const tokensPerImage = 1400;

export function usageOfImages(count: number): Usage | undefined {
  return count === 0 ? undefined : { completionTokens: count * tokensPerImage };
}
