/** Reasons of Gemini to end that are no filter (docs/rules/formats.md#finish-reasons). */
import { describe, expect, it } from 'vitest';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';

const { chat } = gemini.operations;
if (chat === undefined) throw new Error('no chats');

describe('a model that failed', () => {
  it.each([
    'MALFORMED_FUNCTION_CALL',
    'MALFORMED_RESPONSE',
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
  ])('with %s censored nothing: what came stands, and nothing at all is an error', (reason) => {
    const reply = (...parts: object[]) => ({
      candidates: [{ content: { role: 'model', parts }, finishReason: reason }],
    });
    const whole = chat.decode(reply({ text: 'Well.' }), testCall());
    expect(whole.choices[0]).toMatchObject({ finish: 'stop', rawFinish: reason });
    expect(() => chat.decode(reply(), testCall())).toThrow();
    const decoder = chat.createStreamDecoder?.(testCall());
    const data = JSON.stringify(reply({ text: 'Well.' }));
    const parts = [...(decoder?.push({ event: '', data }) ?? []), ...(decoder?.end() ?? [])];
    expect(parts).toContainEqual(expect.objectContaining({ type: 'finish', reason: 'stop' }));
  });

  it('and one that made no image neither', () => {
    const candidates = [
      { content: { role: 'model', parts: [{ text: 'Sorry.' }] }, finishReason: 'NO_IMAGE' },
    ];
    expect(chat.decode({ candidates }, testCall()).choices[0]?.finish).toBe('stop');
  });
});
