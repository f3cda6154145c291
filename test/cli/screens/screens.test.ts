/**
 * The terminal screens as lines: every frame has exactly the size of the terminal, and keys do what
 * the hint line says.
 */
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { keyName } from '../../../src/cli/screens/key-name.ts';
import { channelRow, request } from '../fake-site.ts';
import { open } from './open.ts';

const sizes = [
  [80, 24],
  [119, 30],
  [120, 24],
  [160, 50],
  [200, 60],
] as const;

describe('frames', () => {
  test.each(sizes)(
    '%i x %i is filled exactly, in every view, both languages and both sets of signs',
    async (columns, rows) => {
      for (const language of ['en', 'zh'] as const) {
        for (const ascii of [false, true]) {
          const { press, draw } = await open({ language, ascii });
          for (const keys of [
            ['1'],
            ['2'],
            ['2', 'enter'],
            ['3'],
            ['enter'],
            ['escape', '?'],
            ['escape', '/'],
            ['escape', ':'],
          ]) {
            await press(...keys);
            const lines = draw(columns, rows);
            expect(lines).toHaveLength(rows);
            for (const shown of lines) expect(stringWidth(shown), shown).toBe(columns);
          }
        }
      }
    },
  );

  test('show a message below 80x24', async () => {
    const { draw } = await open();
    expect(draw(79, 24)).toEqual([expect.stringContaining('79x24; at least 80x24 is needed')]);
    expect(draw(80, 23)[0]).toContain('80x23');
  });

  test('borders join', async () => {
    const { draw } = await open();
    const lines = draw();
    expect(lines[0]).toMatch(/^┌─+┐$/);
    expect(lines[3]).toMatch(/^├─ Requests\/min, last hour ─+┬─ Spent today ─+┤$/);
    expect(lines.find((shown) => shown.includes('Channels:'))).toMatch(
      /^├─ Channels: 4 of 6 enabled ─+┼─ Live ─+┤$/,
    );
    expect(lines.at(-3)).toMatch(/^├─+┴─+┤$/);
    expect(lines.at(-1)).toMatch(/^└─+┘$/);
  });

  test('the header shows the live figures, more of them on wide terminals', async () => {
    const { draw } = await open();
    expect(draw()[1]).toMatch(
      /Turnpike ● running 127\.0\.0\.1:3000 .*12 rpm {3}29\.0k tpm {3}\$194\.08 today/,
    );
    expect(draw(160, 50)[1]).toContain('up 3 d 4 h');
    expect(draw(160, 50)[1]).toContain('99.62 % ok');
  });

  test('channels show their state by a symbol', async () => {
    const { draw } = await open();
    const text = draw().join('\n');
    for (const expected of [
      '● OpenAI main',
      '✕ Gemini free',
      '○ SiliconCloud',
      '▲ Slow',
      '✕ Tripped',
    ])
      expect(text).toContain(expected);
  });

  test('an unreachable gateway is reported and the last figures stay', async () => {
    const { site, model, draw } = await open();
    site.fail = true;
    await model.live.refresh();
    const lines = draw();
    expect(lines[1]).toContain('✕ unreachable');
    expect(lines[1]).toContain('$194.08');
    expect(lines.at(-2)).toContain('gone fishing');
    expect(lines.at(-2)).toContain('trying again');
    site.fail = false;
    await model.live.refresh();
    expect(draw()[1]).toContain('● running');
  });

  test('a gateway that comes back loads the list that could not be loaded', async () => {
    const { site, model, press, draw } = await open();
    site.fail = true;
    await model.live.refresh();
    expect((await press('3')).join('\n')).toContain('Not loaded: gone fishing (r tries again)');
    site.fail = false;
    await model.live.refresh();
    await model.settled;
    expect(draw()[3]).toContain('Channels 6');
    expect(draw().at(-2)).toContain('Connected again');
  });

  test('before the first reply nothing is said to be empty', async () => {
    const { site, model, press, draw } = await open({ isConnected: false });
    expect(draw().join('\n')).toContain('Loading');
    expect((await press('2')).join('\n')).toContain('Loading');
    site.fail = true;
    await model.live.refresh();
    expect((await press('1')).join('\n')).toContain('No figures');
    expect(draw()[1]).toContain('✕ unreachable');
  });

  test('a gateway that refuses is not called unreachable', async () => {
    const { site, model, draw } = await open();
    site.replies['GET /api/turnpike/overview'] = () => new Error('No permission');
    await model.live.refresh();
    expect(draw()[1]).toContain('✕ refuses');
    expect(draw().at(-2)).toContain('No permission');
  });
});

describe('requests', () => {
  test('newest on top, with the channels tried', async () => {
    const { press } = await open();
    const lines = await press('2');
    expect(lines[5]).toMatch(
      /▸ \d\d:\d\d:03 林溪 +claude-sonnet-4-5 +9 → 10 +18,420 → 1,326 +\$0\.033578/,
    );
  });

  test('the cursor stays on its row while rows arrive, and follows the top until it is moved', async () => {
    const { site, model, press, draw } = await open();
    await press('2');
    site.log.push(request(4));
    await model.live.refresh();
    expect(draw()[5]).toMatch(/▸ .*:04 /);
    await press('down');
    site.log.push(request(5), request(6));
    await model.live.refresh();
    expect(draw().find((shown) => shown.includes('▸'))).toMatch(/:03 /);
    expect((await press('g')).find((shown) => shown.includes('▸'))).toMatch(/:06 /);
  });

  test('a failed request shows its status instead of a cost, and its cause in the details', async () => {
    const { site, model, press, draw } = await open();
    const other = JSON.stringify({ status_code: 502, error_code: 'do_request_failed' });
    site.log.push(
      request(4, { type: 5, quota: 0, content: 'The upstream cannot be reached', other }),
    );
    await model.live.refresh();
    await press('2');
    expect(draw().find((shown) => shown.includes('▸'))).toMatch(/ 502 /);
    const details = (await press('enter')).join('\n');
    expect(details).toContain('The request failed');
    expect(details).toContain('do_request_failed');
    expect(details).toContain('The upstream cannot be reached');
    expect(details).not.toContain('the client received everything');
  });

  test('a paused list shows the number of new rows', async () => {
    const { site, model, press, draw } = await open();
    await press('2', 'space');
    site.log.push(request(4), request(5));
    await model.live.refresh();
    expect(draw()[3]).toContain('paused, 2 new above');
    expect(draw()[5]).toMatch(/:03 /);
    expect((await press('space'))[5]).toMatch(/:05 /);
  });

  test('the filter applies while typing; escape restores the old one', async () => {
    const { site, model, press, draw } = await open();
    site.log.push(request(4, { model_name: 'gpt-5.1' }));
    await model.live.refresh();
    await press('2', '/', 'g', 'p', 't');
    expect(draw().filter((shown) => shown.includes('claude'))).toEqual([]);
    await press('enter');
    expect(draw()[3]).toContain('/gpt');
    await press('/', 'x', 'escape');
    expect(draw()[3]).toContain('/gpt ');
    await press('/', 'x', 'enter');
    expect(draw().join('\n')).toContain('Nothing matches');
  });

  test('the detail shows a ticket that adds up, and the route', async () => {
    const { press, draw } = await open();
    const text = (await press('2', 'enter')).join('\n');
    expect(text).toMatch(/input +6,132 × \$3\.00\/1M +\$0\.018396/);
    expect(text).toMatch(/cached +12,288 × \$0\.30\/1M +\$0\.003686/);
    expect(text).toMatch(/output +1,326 × \$15\.00\/1M +\$0\.019890/);
    expect(text).toMatch(/group +vip +× 0\.8/);
    expect(text).toMatch(/16,788\.96 → 16,789 ÷ 500,000 +\$0\.033578/);
    expect(text).toMatch(/✕ #9 Bedrock +429, 0\.3 s/);
    expect(text).toMatch(/● #10 Claude 官.* prio 10, w 20/);
    expect(text).toContain('replied with another model:');
    expect(text).toContain('id at the upstream: req_up');
    expect(text).toContain('charged by upstream usage');
    // From 120 columns on it is shown beside the list.
    expect(draw(160, 50)[3]).toMatch(/├─ Requests ─+┬─ req-3 ─+┤/);
  });

  test('s sorts by cost, by duration, and by time again', async () => {
    const { site, model, press } = await open();
    site.log.push(
      request(4, { quota: 1, use_time: 99 }),
      request(5, { quota: 99_000_000, use_time: 1 }),
    );
    await model.live.refresh();
    const byCost = await press('2', 's', 'g');
    expect(byCost[3]).toContain('Requests · by cost');
    expect(byCost[5]).toMatch(/:05 /);
    const byDuration = await press('s', 'g');
    expect(byDuration[3]).toContain('by duration');
    expect(byDuration[5]).toMatch(/:04 /);
    expect((await press('s', 'g'))[5]).toMatch(/:05 /);
  });

  test('y copies the request id with OSC 52', async () => {
    const { press, raw } = await open();
    const lines = await press('2', 'y');
    expect(raw).toEqual([`\u001b]52;c;${Buffer.from('req-3').toString('base64')}\u0007`]);
    expect(lines.at(-2)).toContain('Copied req-3');
  });
});

describe('cards', () => {
  test('what does not fit scrolls, and the next row starts at its top', async () => {
    const { site, model, press, draw } = await open();
    const other = JSON.stringify({ request_path: '/v1/chat/completions' });
    const content = Array.from(
      { length: 60 },
      (_, index) => `reason-${index}-${'x'.repeat(60)}`,
    ).join(' ');
    site.log.push(request(4, { type: 5, content, other }));
    await model.live.refresh();
    const opened = await press('2', 'enter');
    expect(opened[3]).toMatch(/req-4 · lines 1-17 of \d+/);
    expect(opened.join('\n')).not.toContain('reason-59');
    expect(opened.at(-2)).toContain('↑↓ scroll');
    expect((await press('G')).join('\n')).toContain('reason-59');
    expect((await press('pageup', 'k', 'g'))[3]).toContain('lines 1-17');
    await press('j');
    expect(draw()[3]).toContain('lines 2-18');
    expect((await press('right', 'left'))[3]).toContain('lines 1-17');
    expect((await press('?')).join('\n')).toMatch(/up, k +scroll up/);
    await press('escape', 'escape');
    // Beside the list, the card of the row under the cursor says that there is more.
    expect(draw(160, 50)[3]).toMatch(/req-4 · lines 1-43 of \d+/);
    // For screen readers all lines are printed at once.
    await press('enter');
    expect(
      model
        .drawPlain()
        .flat()
        .map(({ text }) => text)
        .join(''),
    ).toContain('reason-59');
  });

  test('figures are never cut: they get the cells that they need', async () => {
    const { site, press, draw } = await open();
    const used = 9_007_199_254_740_000;
    site.replies['GET /api/channel/'] = () => [
      {
        ...channelRow,
        id: 12_345_678,
        name: 'a long name of a channel',
        weight: 1_000_000,
        priority: -1_000_000,
        used_quota: used,
      },
    ];
    for (const [columns, rows] of sizes) {
      await press('3');
      const text = draw(columns, rows).join('\n');
      for (const figure of ['12345678', '-1000000', ' 1000000', '$18,014,398,509.48'])
        expect(text).toContain(figure);
    }
  });
});

describe('channels', () => {
  test('a dangerous key asks for confirmation; any key but y changes nothing', async () => {
    const { site, press } = await open();
    expect((await press('3', 'd')).at(-2)).toContain('disable OpenAI main? y/N');
    expect((await press('n')).at(-2)).toContain('Nothing was changed');
    expect(site.changes).toEqual([]);
    await press('d', 'y');
    expect(site.changes).toEqual([['PUT /api/channel/', { id: 1, status: 2 }]]);
  });

  test('actions apply to all selected rows', async () => {
    const { site, press } = await open();
    const lines = await press('3', 'space', 'down', 'space', 'x');
    expect(lines[3]).toContain('2 selected');
    expect(lines.at(-2)).toContain('delete 2 channels? y/N');
    await press('y');
    expect(site.changes.map(([call, input]) => [call, input['id']])).toEqual([
      ['DELETE /api/channel/:id', 1],
      ['DELETE /api/channel/:id', 10],
    ]);
  });

  test.each([
    ['long', 'a very long name '.repeat(20)],
    ['wide', '很长的渠道名称'.repeat(20)],
    ['with control characters', `x\u001b[2K\n\u202e${'y'.repeat(100)}`],
  ])('a name that is %s leaves the question and its choices visible', async (_, name) => {
    for (const language of ['en', 'zh'] as const) {
      const { site, press, draw } = await open({ language });
      site.names[1] = name;
      const asked = (await press('3', 'x')).at(-2) ?? '';
      expect(asked).toMatch(
        language === 'en' ? /^│ delete .+….*\? y\/N +│$/ : /^│ 删除 .+….*？ y\/N +│$/,
      );
      expect(stringWidth(asked)).toBe(80);
      expect(draw().join('')).not.toMatch(/[\p{Cc}\u202e]/u);
      expect((await press('escape', 'w')).at(-2)).toMatch(
        language === 'en'
          ? /^│ weight of .+…: 20 +enter applies, esc cancels +│$/
          : /^│ .+… 的权重：20 .*Esc 取消 +│$/,
      );
    }
  });

  test('a test shows its result', async () => {
    const { site, press } = await open();
    expect((await press('3', 't')).at(-2)).toContain('OpenAI main replied in 0.62 s');
    site.tested = { success: false, message: 'connection refused', time: 0.01 };
    expect((await press('t')).at(-2)).toContain(
      'OpenAI main failed after 0.01 s: connection refused',
    );
  });

  test('w changes the weight of all selected rows', async () => {
    const { site, press } = await open();
    expect((await press('3', 'space', 'down', 'space', 'w')).at(-2)).toContain(
      'weight of 2 channels: 20',
    );
    await press('backspace', '5', 'enter');
    expect(site.changes).toEqual([
      ['PUT /api/channel/', { id: 1, weight: 25 }],
      ['PUT /api/channel/', { id: 10, weight: 25 }],
    ]);
    expect((await press('w', 'x', 'enter')).at(-2)).toContain('20x is not a whole number');
    expect(site.changes).toHaveLength(2);
    expect((await press('w', '7', 'escape')).at(-2)).toContain('? keys');
    expect(site.changes).toHaveLength(2);
  });

  test('e edits the fields of a row one by one', async () => {
    const { site, press, draw } = await open();
    const lines = await press('3', 'down', 'e');
    expect(lines[3]).toContain('Channels › Claude 官方直连 › edit');
    expect(lines.find((shown) => shown.includes('priority'))).toMatch(/priority +10/);
    expect((await press('down', 'enter')).at(-2)).toContain('models of Claude 官方直连: a,b,c');
    await press(',', 'd', 'enter');
    expect(site.changes).toEqual([['PUT /api/channel/', { id: 10, models: 'a,b,c,d' }]]);
    expect(draw().at(-2)).toContain('Saved');
    expect((await press('escape'))[3]).toContain('Channels 6');
  });

  test('T shows the channels of one tag after the other', async () => {
    const { press } = await open();
    expect((await press('3'))[3]).toContain('tag: any');
    const tagged = await press('space', 'T');
    expect(tagged[3]).toContain('Channels 2 · tag: main');
    expect(tagged.join('\n')).not.toContain('Gemini');
    expect((await press('T'))[3]).toContain('Channels 4 · tag: none');
    expect((await press('T'))[3]).toContain('Channels 6 · tag: any');
  });

  test('T also finds the tags of channels that are not loaded yet', async () => {
    const { press, site } = await open();
    site.further = 3;
    await press('3');
    expect((await press('T'))[3]).toContain('Channels 3 · tag: late');
    expect((await press('T'))[3]).toContain('Channels 2 · tag: main');
  });

  test('the hint line of 80 columns names the keys of the design', async () => {
    const { press } = await open();
    expect((await press('3')).at(-2)).toContain(
      'space select  t test  d on/off  e edit  w weight  / filter  T tag  ? keys',
    );
  });

  test('a channel opens from the overview with the cursor on it', async () => {
    const { press } = await open();
    const lines = await press('tab', 'down', 'enter');
    expect(lines[3]).toContain('Channels › Claude 官方直连');
  });
});

describe('tokens', () => {
  test('an expired token and an exhausted one are shown as such although they are enabled', async () => {
    const { press } = await open();
    const text = (await press('5')).join('\n');
    expect(text).toMatch(/● +1 token 1 .*Enabled/);
    expect(text).toMatch(/✕ +2 token 2 .*Expired/);
    expect(text).toMatch(/✕ +3 token 3 .*Exhausted/);
  });
});

describe('overview', () => {
  test('shows tokens, cost and errors of the last hour with their sums, at every size', async () => {
    const { draw } = await open();
    for (const [columns, rows] of sizes) {
      const text = draw(columns, rows).join('\n');
      expect(text).toMatch(/│ tokens [ ▁▂▃▄▅▆▇█]+ +174\.0k │/);
      expect(text).toMatch(/│ cost {3}[ ▁▂▃▄▅▆▇█]+ +\$1\.20 │/);
      expect(text).toMatch(/│ errors +[▁▂▃▄▅▆▇█] +2 │/);
    }
  });

  test('pauses and filters', async () => {
    const { site, model, press, draw } = await open();
    await press('p');
    site.log.push(request(4, { model_name: 'gpt-5.1-mini' }));
    await model.live.refresh();
    expect(draw().join('\n')).toContain('paused, 1 new');
    expect(draw().join('\n')).not.toContain('gpt-5.1-mini');
    const filtered = (await press('p', '/', ...'mini', 'enter')).join('\n');
    expect(filtered).toContain('Live · /mini');
    expect(filtered).toContain('gpt-5.1-mini');
    expect(filtered).not.toMatch(/:03 claude/);
    expect(draw().at(-2)).toContain('/ filter  space pause');
  });
});

test('keys that arrive at once are told apart, control characters included', () => {
  const none = {} as Parameters<typeof keyName>[1];
  expect(keyName('/a\u0015b c\u007f\r', none)).toEqual([
    '/',
    'a',
    'ctrl+u',
    'b',
    'space',
    'c',
    'backspace',
    'enter',
  ]);
  expect(keyName('林😀', none)).toEqual(['林', '😀']);
  expect(keyName('/', { ...none, meta: true })).toEqual(['escape', '/']);
  expect(keyName('', { ...none, meta: true, escape: true })).toEqual(['escape']);
  expect(keyName('', { ...none, meta: true, upArrow: true })).toEqual(['escape', 'up']);
});

describe('everywhere', () => {
  test('help shows every key at 80x24, by scrolling', async () => {
    for (const view of ['1', '2', '3', '4', '5', '6', '7']) {
      const { press, draw } = await open();
      await press(view, '?');
      const seen = new Set(draw());
      expect(draw()[3]).toMatch(/Keys/);
      for (let row = 0; row < 30; row++) for (const shown of await press('down')) seen.add(shown);
      const text = [...seen].join('\n');
      expect(text).toMatch(/q, ctrl\+c +quit/);
      expect(text).toMatch(/\? +keys/);
      expect(text.match(/ up, k /g)).toHaveLength(1);
      if (view === '3')
        for (const key of ['e ', 'w ', 'T ', 't ', 'd ', 'x '])
          expect(text).toMatch(new RegExp(`│ +${key}`));
      await press('escape');
      expect(draw()[3]).not.toMatch(/Keys/);
    }
  });

  test(':channels shows a view, an unknown name is reported, q quits', async () => {
    const { press, hasQuit } = await open();
    expect((await press(':', ...'channels', 'enter'))[3]).toContain('Channels 6');
    expect((await press(':', ...'nowhere', 'enter')).at(-2)).toContain('No view named nowhere');
    await press('q');
    expect(hasQuit()).toBe(true);
  });

  test(': names the views that begin with what is typed, and Tab completes', async () => {
    const { press } = await open();
    expect((await press(':')).at(-2)).toContain('overview requests channels');
    expect((await press('t')).at(-2)).toMatch(/:t +tokens tasks/);
    expect((await press('a')).at(-2)).toMatch(/:ta +tasks/);
    expect((await press('tab')).at(-2)).toMatch(/:tasks +/);
  });

  test('a failed call is shown in the hint line and the screen stays', async () => {
    const { press, draw } = await open();
    expect((await press('4')).at(-2)).toContain('no such path');
    expect((await press('1')).at(-2)).toContain('quit');
    expect(draw()).toHaveLength(24);
  });

  test('q is a letter while typing', async () => {
    const { press, hasQuit } = await open();
    await press('2', '/', 'q');
    expect(hasQuit()).toBe(false);
    await press('ctrl+c');
    expect(hasQuit()).toBe(true);
  });
});
