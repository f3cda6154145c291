/** Bodies of agents in their own wires: what they send of what was done so far. */

let serial = 0;
export const newId = () => {
  serial += 1;
  return `id_${serial}`;
};

/** A step of an agent: a call with its result, or words with what was said to them. */
export type Step =
  | { readonly tool: string; readonly input: unknown; readonly result?: string }
  | { readonly say: string; readonly reply?: string };
export type Wire = (steps: readonly Step[]) => Record<string, unknown>;

/** Claude Code: Messages, with thinking and words beside a call. */
const claudeCode: Wire = (steps) => ({
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'fix the build' }] },
    ...steps.flatMap((step): readonly object[] => {
      if ('say' in step)
        return [
          { role: 'assistant', content: [{ type: 'text', text: step.say }] },
          { role: 'user', content: step.reply ?? 'go on' },
        ];
      const id = newId();
      return [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: `now ${id}`, signature: id },
            { type: 'text', text: `Let me look again (${id})` },
            { type: 'tool_use', id, name: step.tool, input: step.input },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: step.result ?? 'failed' }],
        },
      ];
    }),
  ],
});

/** Codex and the Agents SDK: Responses, calls as items, reasoning between them. */
const codex: Wire = (steps) => ({
  input: [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'fix the build' }] },
    ...steps.flatMap((step): readonly object[] => {
      if ('say' in step) {
        const content = [{ type: 'output_text', text: step.say }];
        return [
          { type: 'message', id: newId(), role: 'assistant', content },
          { role: 'user', content: step.reply ?? 'go on' },
        ];
      }
      const id = newId();
      return [
        { type: 'reasoning', id: newId(), encrypted_content: id },
        {
          type: 'message',
          id: newId(),
          role: 'assistant',
          phase: 'commentary',
          content: [{ type: 'output_text', text: `Let me look again (${id})` }],
        },
        {
          type: 'function_call',
          call_id: id,
          name: step.tool,
          arguments: JSON.stringify(step.input),
        },
        { type: 'function_call_output', call_id: id, output: step.result ?? 'failed' },
      ];
    }),
  ],
});

/** The Agents SDK with chat models. */
const chat: Wire = (steps) => ({
  messages: [
    { role: 'system', content: 'You are an agent' },
    { role: 'user', content: 'fix the build' },
    ...steps.flatMap((step): readonly object[] => {
      if ('say' in step)
        return [
          { role: 'assistant', content: step.say },
          { role: 'user', content: step.reply ?? 'go on' },
        ];
      const id = newId();
      const called = { name: step.tool, arguments: JSON.stringify(step.input, null, 2) };
      return [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: called }],
        },
        { role: 'tool', tool_call_id: id, content: step.result ?? 'failed' },
      ];
    }),
  ],
});

/** Google's SDK. */
const gemini: Wire = (steps) => ({
  contents: [
    { role: 'user', parts: [{ text: 'fix the build' }] },
    ...steps.flatMap((step): readonly object[] =>
      'say' in step
        ? [
            { role: 'model', parts: [{ text: step.say }] },
            { role: 'user', parts: [{ text: step.reply ?? 'go on' }] },
          ]
        : [
            { role: 'model', parts: [{ functionCall: { name: step.tool, args: step.input } }] },
            {
              role: 'user',
              parts: [
                {
                  functionResponse: {
                    name: step.tool,
                    response: { output: step.result ?? 'failed' },
                  },
                },
              ],
            },
          ],
    ),
  ],
});

export const wires = { claudeCode, codex, chat, gemini };
