/** The call of a conversation, as it is copied. */
import { expect, test } from 'vitest';
import type { ClientKind } from '../../../../src/ui/components/client-kinds.ts';
import { chatCode } from '../../../../src/ui/routes/playground/chat/chat-code.ts';
import type { ChatMessage } from '../../../../src/ui/routes/playground/chat/message.ts';

const message = (
  role: ChatMessage['role'],
  content: string,
  attachments?: ChatMessage['attachments'],
): ChatMessage => ({
  id: content,
  role,
  content,
  reasoning: '',
  createAt: 0,
  status: 'complete',
  ...(attachments !== undefined && { attachments }),
});
const settings = { model: 'm-1', system: 'Be brief.', temperature: 0.3, maxTokens: 500 };
const base = { site: 'https://site.example/', key: 'sk-k', settings };
const gate = { id: '1', name: 'gate.png', kind: 'image', tokens: 0 } as const;
const messages = [
  message('user', "It's this", [gate]),
  message('assistant', 'A gate.'),
  message('assistant', ''),
  message('user', 'Where?'),
  message('assistant', 'Here.'),
];

const bodyOf = (curl: string): unknown =>
  JSON.parse((/ -d '([\s\S]*)'$/.exec(curl)?.[1] ?? '').replaceAll("'\\''", "'"));

test('curl of OpenAI has the whole conversation but the last answer', () => {
  const curl = chatCode('openai', 'curl', { ...base, messages });
  expect(curl).toMatch(
    /^curl https:\/\/site\.example\/v1\/chat\/completions \\\n {2}-H 'Authorization: Bearer sk-k'/,
  );
  expect(bodyOf(curl)).toEqual({
    model: 'm-1',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,<gate.png>' } },
          { type: 'text', text: "It's this" },
        ],
      },
      { role: 'assistant', content: 'A gate.' },
      { role: 'user', content: 'Where?' },
    ],
    max_tokens: 500,
    temperature: 0.3,
  });
});

test('curl of Anthropic and Gemini say the same in their words', () => {
  expect(bodyOf(chatCode('anthropic', 'curl', { ...base, messages }))).toEqual({
    model: 'm-1',
    system: 'Be brief.',
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data: '<gate.png>' },
          },
          { type: 'text', text: "It's this" },
        ],
      },
      { role: 'assistant', content: 'A gate.' },
      { role: 'user', content: 'Where?' },
    ],
    max_tokens: 500,
    temperature: 0.3,
  });
  const gemini = chatCode('gemini', 'curl', { ...base, messages });
  expect(gemini).toContain('https://site.example/v1beta/models/m-1:generateContent');
  expect(bodyOf(gemini)).toEqual({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: '<gate.png>' } },
          { text: "It's this" },
        ],
      },
      { role: 'model', parts: [{ text: 'A gate.' }] },
      { role: 'user', parts: [{ text: 'Where?' }] },
    ],
    generationConfig: { maxOutputTokens: 500, temperature: 0.3 },
  });
});

test('Python has named arguments', () => {
  const code = chatCode('openai', 'python', {
    ...base,
    settings: { ...settings, system: ' ' },
    messages: [message('user', 'a "b"\nc')],
  });
  expect(code).toBe(`from openai import OpenAI

client = OpenAI(base_url="https://site.example/v1", api_key="sk-k")
reply = client.chat.completions.create(
    model="m-1",
    messages=[
        {
            "role": "user",
            "content": "a \\"b\\"\\nc"
        }
    ],
    max_tokens=500,
    temperature=0.3,
)
print(reply.choices[0].message.content)`);
});

test.each<[ClientKind, string]>([
  ['openai', 'chat.completions.create'],
  ['anthropic', 'messages.create'],
  ['gemini', 'models.generateContent'],
])('TypeScript of %s calls its client with the body', (kind, call) => {
  const code = chatCode(kind, 'typescript', { ...base, messages });
  const given = code.slice(code.indexOf(`${call}(`) + call.length + 1, code.lastIndexOf(');\n'));
  expect(JSON.parse(given)).toMatchObject({ model: 'm-1' });
});
