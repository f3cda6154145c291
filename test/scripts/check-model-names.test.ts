import { expect, it } from 'vitest';
import { modelNamesIn } from '../../scripts/check-model-names.ts';

it('finds names of models in texts and patterns, also of models that nobody has seen', () => {
  const source = `
    // gpt-4o in a remark
    /* claude-opus-5-5 */
    const names = ['gpt-6.2-sol', "x/claude-sonnet-5-5", \`deepseek-v4-pro: \${price}\`];
    const pattern = /^gemini-4/;
    const none = ['v1', 'sha256', 'gpt', 'my-model-3', '360gpt-turbo-8k', 'https://host/a//b1'];
  `;
  expect(modelNamesIn(source)).toEqual([
    { name: 'gpt-6.2-sol', line: 4 },
    { name: 'claude-sonnet-5-5', line: 4 },
    { name: 'deepseek-v4-pro', line: 4 },
    { name: 'gemini-4', line: 5 },
  ]);
});

it('finds names without a digit: whole ones in texts, and beginnings where they are looked for', () => {
  const source = `
    const byModel = [/(^|\\/)(chat)?gpt-image/, /(^|\\/)dall-e/];
    if (model.startsWith('gpt-image') || model.includes("gpt-oss")) return 'deepseek-chat';
    const none = ['gemini-generate', 'claude-code', 'gpt-image', /well-known/, 'image/png'];
  `;
  expect(modelNamesIn(source)).toEqual([
    { name: 'gpt-image', line: 2 },
    { name: 'dall-e', line: 2 },
    { name: 'gpt-image', line: 3 },
    { name: 'gpt-oss', line: 3 },
    { name: 'deepseek-chat', line: 3 },
  ]);
});
