import { expect, test } from 'vitest';
import { startTestServer } from './http.ts';

const entry = {
  icon: '/a.png',
  description: 'd',
  type: '对话',
  tags: 'a,b',
  manufacturer: 'm',
  price_type: 2,
  context: '8K',
  specification: ['MoE'],
  publish_time: '2026-11-01',
  status: 1,
};

test('the calls of other clients: types in Chinese, names with slashes, bare lists', async () => {
  const server = await startTestServer();
  const headers = await server.signIn('root');
  await server.operator.channel.create({
    name: 'c',
    type: 1,
    key: 'k',
    models: 'gpt-4o,dall-e-3',
    group: 'default',
  });

  const asked = await server.send('POST', '/api/model_list', {
    body: { type: ['对话'], status: 1 },
  });
  expect(asked.json).toMatchObject({
    success: true,
    data: [{ model: 'gpt-4o', enable_group: ['default'] }],
    group_ratio: { default: 1 },
  });
  expect((await server.send('POST', '/api/model_list')).json).toMatchObject({
    success: true,
    data: [{}, {}],
  });

  const base = '/api/model_square_management';
  const names = ['org/a', 'org/b', 'org/deep/c', 'ä b%2F?#', '模型'];
  for (const model of names) {
    const reply = await server.send('POST', `${base}/add`, { headers, body: { ...entry, model } });
    expect(reply.json).toMatchObject({ success: true, data: { model } });
  }
  const list = await server.send('POST', `${base}/model_list`, { headers, body: {} });
  expect(list.json.data).toHaveLength(5);
  expect(list.headers.get('x-total-count')).toBe('5');
  expect((await server.send('GET', '/api/model_filter')).json).toMatchObject({
    success: true,
    data: { contexts: ['8K', '16K', '32K', '128K'] },
  });

  // Some proxies decode the slash on the way.
  const paths = [
    'org%2Fa',
    'org/b',
    'org/deep%2Fc/',
    encodeURIComponent('ä b%2F?#'),
    encodeURIComponent('模型'),
  ];
  for (const path of paths) {
    expect((await server.send('DELETE', `${base}/delete/${path}`, { headers })).json).toEqual({
      success: true,
      message: '',
    });
  }
  expect(
    (await server.send('POST', `${base}/model_list`, { headers, body: {} })).json.data,
  ).toEqual([]);
  const gone = await server.send('DELETE', `${base}/delete/org%2Fa`, {
    headers: { ...headers, 'accept-language': 'zh' },
  });
  expect(gone.json).toMatchObject({
    success: false,
    code: 'catalog_model_unknown',
    message: '模型广场中没有该模型：org/a',
  });
});

test('wrong values are named, in the language of the caller', async () => {
  const server = await startTestServer();
  const headers = await server.signIn('root');
  const add = async (body: object, language: string) =>
    (
      await server.send('POST', '/api/model_square_management/add', {
        headers: { ...headers, 'accept-language': language },
        body,
      })
    ).json;
  expect(await add({ ...entry, model: 'm', icon: 'javascript:alert(1)' }, 'en')).toMatchObject({
    success: false,
    code: 'catalog_icon_invalid',
    message:
      'The icon must be the address of an image: http(s), a path of this site, or data:image up to 64 KB',
  });
  expect(await add({ ...entry, model: 'm', tags: undefined }, 'zh')).toMatchObject({
    message: '必填项不能为空：tags',
  });
  expect(await add({ ...entry, model: 'm', tags: 7 }, 'en')).toMatchObject({
    code: 'invalid_parameter',
    field: 'tags',
  });
  expect(await add({ ...entry, model: 'm', price_type: {} }, 'en')).toMatchObject({
    code: 'invalid_parameter',
    field: 'price_type',
  });
  expect(
    (await server.send('POST', '/api/model_list', { body: { type: { a: 1 } } })).json,
  ).toMatchObject({
    code: 'invalid_parameter',
  });
});
