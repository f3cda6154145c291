import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { baseUrlOf, clientKinds } from '../../../src/ui/components/client-kinds.ts';
import { sampleLanguages, sampleModel, sampleOf } from '../../../src/ui/components/samples.ts';

const values = { site: 'https://ai.example.com/', key: 'sk-abc', model: 'gpt-4o' };

describe('the base URL', () => {
  it('ends in /v1 for OpenAI clients and has no path for the others', () => {
    expect(clientKinds.map((kind) => baseUrlOf(kind, 'https://ai.example.com/'))).toEqual([
      'https://ai.example.com/v1',
      'https://ai.example.com',
      'https://ai.example.com',
    ]);
  });
});

describe('a sample call', () => {
  it.each(
    clientKinds.flatMap((kind) => sampleLanguages.map((language) => [kind, language] as const)),
  )('for %s in %s has the real key, address and model', (kind, language) => {
    const text = sampleOf(kind, language, values);
    expect(text).toContain('sk-abc');
    expect(text).toContain(baseUrlOf(kind, values.site));
    expect(text).toContain('gpt-4o');
    expect(text).not.toContain('.com//');
  });

  it.each([
    ['openai', 'https://ai.example.com/v1/chat/completions'],
    ['anthropic', 'https://ai.example.com/v1/messages'],
    ['gemini', 'https://ai.example.com/v1beta/models/gpt-4o:generateContent'],
  ] as const)('for %s as curl calls %s', (kind, url) => {
    expect(sampleOf(kind, 'curl', values)).toContain(`curl ${url} `);
  });

  it.skipIf(process.platform === 'win32')(
    'as curl survives a model with quotes in its name',
    () => {
      const model = `it's "new"`;
      const script = sampleOf('openai', 'curl', { ...values, model }).replace(
        'curl',
        'printf "%s\\n"',
      );
      const printed = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })
        .trim()
        .split('\n');
      expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({ model });
    },
  );

  it('uses a chat model of the site, of the vendor if there is one', () => {
    const models = [
      'text-embedding-3-small',
      'deepseek-chat',
      'claude-sonnet-4-5',
      'gpt-4o-realtime',
      'gpt-4o',
    ];
    expect(clientKinds.map((kind) => sampleModel(kind, models))).toEqual([
      'gpt-4o',
      'claude-sonnet-4-5',
      'deepseek-chat',
    ]);
    expect(sampleModel('openai', ['text-embedding-3-small'])).toBe('text-embedding-3-small');
    expect(sampleModel('openai', [])).toBeUndefined();
  });
});
