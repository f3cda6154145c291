/** The screens as plain lines for screen readers. */
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { wrap } from '../../../src/cli/kit/lines.ts';
import { keysOf, openTextMode } from '../../../src/cli/screens/text-mode.ts';
import { open } from './open.ts';

test('typed lines are keys, commands, or the text of a field', () => {
  expect(keysOf('4', false)).toEqual(['4']);
  expect(keysOf(' down ENTER ', false)).toEqual(['down', ...'ENTER']);
  expect(keysOf('down enter', false)).toEqual(['down', 'enter']);
  expect(keysOf('esc', false)).toEqual(['escape']);
  expect(keysOf(':users lin xi', false)).toEqual([':', 'ctrl+u', 'users lin xi', 'enter']);
  expect(keysOf('/', false)).toEqual(['/', 'ctrl+u', 'enter']);
  expect(keysOf('', false)).toEqual([]);
  expect(keysOf('', true)).toEqual(['enter']);
  expect(keysOf('esc', true)).toEqual(['escape']);
  expect(keysOf('down enter', true)).toEqual(['ctrl+u', 'down enter', 'enter']);
});

test('a view is read, changed and left by lines alone', async () => {
  const { site, model, hasQuit } = await open();
  site.names[1] = 'x\u001b[2J\u202ename';
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let printed = '';
  stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  const ended = openTextMode(model, { stdin, stdout }, new Promise(() => {}));
  const type = async (text: string, expected: string | RegExp) => {
    printed = '';
    stdin.write(`${text}\n`);
    await vi.waitFor(() => expect(printed).toMatch(expected));
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e│┌─]/u);
  };
  await vi.waitFor(() => expect(printed).toContain('1/13 Overview'));
  await type('3', /3\/13 Channels\nChannels 6/);
  await type('w', 'weight of x [2Jname: 20');
  await type('25', 'Saved');
  await type('d', /disable x \[2Jname\? y\/N/);
  await type('y', 'Changed x [2Jname');
  expect(site.changes).toEqual([
    ['PUT /api/channel/', { id: 1, weight: 25 }],
    ['PUT /api/channel/', { id: 1, status: 2 }],
  ]);
  await type('enter', 'Channels › x [2Jname');
  stdin.write('q\n');
  await vi.waitFor(() => expect(hasQuit()).toBe(true));
  stdin.end();
  await ended;
});

test('a gateway that is away is said once, and JSON is typed in one line: there is no editor', async () => {
  const { site, model } = await open();
  site.replies['GET /api/option/'] = () => [{ key: 'GroupRatio', value: '{"default":1}' }];
  const text = () =>
    model
      .drawPlain()
      .map((shown) => shown.map((piece) => piece.text).join(''))
      .join('\n');
  for (const key of keysOf('7', false)) model.press(key);
  await model.settled;
  for (const key of keysOf('/groupratio', false)) model.press(key);
  await vi.waitFor(() => expect(text()).toContain('Options 1 '));
  model.press('e');
  await vi.waitFor(() => expect(text()).toContain('GroupRatio: {"default":1}'));
  model.press('escape');
  site.fail = true;
  await model.live.refresh();
  expect(text().match(/gone fishing/g)).toHaveLength(1);
});

test('lines that arrive at once are read in order, also after the end of the input', async () => {
  const { model, hasQuit } = await open();
  const stdout = new PassThrough();
  const stdin = new PassThrough();
  stdin.end('2\n3\nq\n5\n');
  await openTextMode(model, { stdin, stdout }, new Promise(() => {}));
  const printed = String(stdout.read());
  expect(printed.match(/\d+\/13 \w+/g)).toEqual([
    '1/13 Overview',
    '2/13 Requests',
    '3/13 Channels',
  ]);
  expect(hasQuit()).toBe(true);
});

test('the end of the input ends the screens', async () => {
  const { model, hasQuit } = await open();
  const stdin = new PassThrough();
  stdin.end('4\n');
  await openTextMode(model, { stdin, stdout: new PassThrough() }, new Promise(() => {}));
  expect(hasQuit()).toBe(false);
});

test('long texts wrap at spaces, in cells', () => {
  expect(wrap('one two three', 8)).toEqual(['one two ', 'three']);
  expect(wrap('渠道名称很长', 5)).toEqual(['渠道', '名称', '很长']);
  expect(wrap('', 5)).toEqual(['']);
});
