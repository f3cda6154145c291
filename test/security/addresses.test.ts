/**
 * Addresses that pages show or lead to are what they are called, wherever they are entered
 * (docs/security.md#addresses).
 */
import { describe, expect, it, test } from 'vitest';
import { isPictureAddress, ownPicture } from '../../src/core/kernel/picture-addresses.ts';
import { optionDefinition, optionKeys } from '../../src/core/options/registry.ts';
import { codeOf, createTestApp } from '../support/app.ts';

/** No picture, and nothing that a page leads to. */
const noAddresses = [
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/png',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://site.example/1',
  'view-source:https://site.example/',
  '//evil.example/a.png',
  '/\\evil.example/a.png',
  '\\\\evil.example\\a.png',
  'https:\\\\evil.example/a.png',
  'https:/evil.example/a.png',
  'https://site.example@evil.example/a.png',
  'https://user:password@evil.example/a.png',
  'https://',
];

describe('a picture', () => {
  test.each(noAddresses)('is not %j', (address) => {
    expect(isPictureAddress(address)).toBe(false);
  });

  test.each([
    '/api/user/logout',
    '/api/x.png',
    '/oauth/telegram?id=1',
    '/public/a.svg',
    '/users/1.png',
    '/v1/models/a.png',
    '/detail',
  ])('is no call and no page of this site: %s', (path) => {
    expect([isPictureAddress(path), ownPicture(path)]).toEqual([false, undefined]);
  });

  test.each([
    ['/logo.png', '/logo.png'],
    ['logo.png', '/logo.png'],
    ['/uploads/2026/11/a.png?v=2', '/uploads/2026/11/a.png?v=2'],
    ['/uploads/../api/user/logout', undefined],
    ['/static/brand/logo.svg', '/static/brand/logo.svg'],
  ])('of this site: %s', (path, own) => {
    expect([isPictureAddress(path), ownPicture(path)]).toEqual([own !== undefined, own]);
  });

  test.each([
    'https://cdn.example/logo',
    'http://10.0.0.5:8080/l.png?a=b#c',
    'data:image/svg+xml,%3Csvg/%3E',
    'data:image/png;base64,AA',
  ])('of elsewhere: %s', (address) => {
    expect(isPictureAddress(address)).toBe(true);
  });
});

/**
 * Options with an address that visitors' pages show or lead to: all texts of the server status, and
 * what forms are sent to.
 */
const addressOptions = optionKeys.filter((key) => {
  const { kind, status, schema } = optionDefinition(key);
  return (
    kind === 'text' &&
    (status !== undefined || key === 'PayAddress') &&
    !schema.safeParse('plain words').success
  );
});

it('all options with such an address are known to this test', () => {
  expect(addressOptions).toEqual(
    [
      'ChatLink',
      'ChatLink2',
      'DataExportDefaultTime',
      'Logo',
      'PayAddress',
      'ServerAddress',
      'TopUpLink',
      'WeChatAccountQRCodeImageURL',
      'general_setting.docs_link',
      'oidc.authorization_endpoint',
    ].sort(),
  );
});

it.each(addressOptions)('the option %s takes none of them', async (key) => {
  const { operator, app } = await createTestApp();
  await operator.option.set({ key: 'ServerAddress', value: 'https://gw.example' });
  const before = app.site.options.get(key);
  for (const value of noAddresses.filter((address) => address !== 'data:image/png'))
    expect([value, await codeOf(operator.option.set({ key, value }))]).toEqual([
      value,
      'option_invalid',
    ]);
  expect(app.site.options.get(key)).toEqual(before);
});

it('chat clients, portraits and icons take none of them', async () => {
  const { operator, as, addUser } = await createTestApp();
  const ann = await as(await addUser('ann'));
  const entry = {
    model: 'm',
    description: 'd',
    type: 'chat',
    tags: ['a'],
    manufacturer: 'm',
    price_type: 2,
    context: '8K',
    specification: ['a'],
    publish_time: '2026-11-20',
    status: 1,
  };
  for (const address of noAddresses) {
    expect([address, await codeOf(operator.modelSquare.add({ ...entry, icon: address }))]).toEqual([
      address,
      'catalog_icon_invalid',
    ]);
    expect([address, await codeOf(ann.self.update({ portrait: address }))]).toEqual([
      address,
      'invalid_parameter',
    ]);
    // Clients of the reader's computer have schemes of their own.
    if (/^(view-source|https:(\/[^/]|\\))/.test(address)) continue;
    const saved = operator.option.set({
      key: 'Chats',
      value: JSON.stringify([{ client: address }]),
    });
    expect([address, await codeOf(saved)]).toEqual([address, 'option_invalid']);
  }
});

it('a stored logo that is no picture counts as the default', async () => {
  const { app } = await createTestApp();
  await app.storage.options.set({ key: 'Logo', value: 'javascript:alert(1)', hidden: false });
  await app.site.options.refresh();
  expect(app.site.options.get('Logo')).toBe('/logo.png');
});
