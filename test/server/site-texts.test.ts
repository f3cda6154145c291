/** The texts of the site, which visitors may read (docs/rules/options.md#site-content). */
import { expect, test } from 'vitest';
import { startTestServer } from './http.ts';

test.each([
  ['Notice', '/api/notice'],
  ['About', '/api/about'],
  ['HomePageContent', '/api/home_page_content'],
])('%s is what visitors read at %s, as it was stored', async (key, path) => {
  const { operator, send } = await startTestServer();
  expect((await send('GET', path)).json['data']).toBe('');
  const text = '# Title\n<b onclick="x()">HTML</b> and **Markdown** 中文';
  await operator.option.set({ key, value: text });
  expect((await send('GET', path)).json['data']).toBe(text);
});

test('Footer and SystemName are in the server status', async () => {
  const { operator, send } = await startTestServer();
  await operator.option.set({ key: 'Footer', value: '<p>© Toll & Co</p>' });
  await operator.option.set({ key: 'SystemName', value: 'Toll & Co' });
  expect((await send('GET', '/api/status')).json['data']).toMatchObject({
    footer_html: '<p>© Toll & Co</p>',
    system_name: 'Toll & Co',
  });
});
